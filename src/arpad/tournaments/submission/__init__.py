"""What a rating office requires of a report before it is sent."""
