"""The nouns everything else speaks of: players, games, events, tournaments; and the named roundings."""
