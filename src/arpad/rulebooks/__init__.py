"""Regulations as dated data: what a rulebook is, its tables, and the rule files themselves."""
