"""EventStandings after any round: places, groups, prizes, and where a file's own ranks differ."""
