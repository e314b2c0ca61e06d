"""Looking ahead: what upcoming games can do to a rating, what is needed for a target, and how strong results look."""
