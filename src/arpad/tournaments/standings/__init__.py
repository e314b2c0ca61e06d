"""Standings after any round: places, groups, prizes, and where the file's own ranks differ."""
