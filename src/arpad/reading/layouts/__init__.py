"""The layouts that pastes come in: cards, pairings, crosstables, pages of federations, PGN, messages."""
