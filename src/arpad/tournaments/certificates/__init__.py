"""What an arbiter issues after a title event: norm certificates (IT1) and the event report (IT3)."""
