"""Pictures of what was worked out: one theme for page, report and file, each also in words and figures."""

FORMS = (".html", ".png", ".svg")  # the files a picture can be written to
