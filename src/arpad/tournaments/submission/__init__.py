"""What a rating office asks of a report before it is sent."""
