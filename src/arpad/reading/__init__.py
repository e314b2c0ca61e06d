"""What people type and paste, turned into values."""
