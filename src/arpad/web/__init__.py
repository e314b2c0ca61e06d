"""The pages and their JSON twins: parse, call, render. No arithmetic and no rules are here."""
