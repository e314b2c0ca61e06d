"""Whole events played to their end many times: what can still happen, for everybody in it."""
