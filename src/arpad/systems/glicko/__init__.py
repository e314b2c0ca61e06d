"""Glickman's family: Glicko, Glicko-2, and the two sites that rate with them, Lichess and Chess.com."""
