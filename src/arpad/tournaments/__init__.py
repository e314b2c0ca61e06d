"""Whole tournaments: rating them, checking them, norms and tie-breaks."""
