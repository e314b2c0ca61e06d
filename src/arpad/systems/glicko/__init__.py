"""Glickman's systems: Glicko, Glicko-2, and the two sites that use them, Lichess and Chess.com."""
