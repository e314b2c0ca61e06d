"""Pictures of what was worked out: one theme for page, report and file, each also in words and figures."""
