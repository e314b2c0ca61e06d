"""Tie-breaks and standings by FIDE's Handbook C.07."""
