"""Tie-breaks that go by ratings (Handbook C.07): ARO and its cuts, TPR, PTP, APRO, APPO, RTNG."""
