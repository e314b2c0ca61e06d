"""What may be asked, and what answers it."""
