"""Title norms: a verdict on each condition, the games that may be left out, and what is still needed."""
