"""Looking ahead: what is needed, and what games to come can do to a rating."""
