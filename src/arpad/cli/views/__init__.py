"""Views of answers: what the command shows besides an answer's own figures and tables, room by room."""
