"""The pages and the HTTP API: parse, call, render. No arithmetic and no rules are here."""
