"""What an arbiter hands out after a title event: certificates of norms (IT1) and the report of the event (IT3)."""
