"""Server score: its factors, its explanation and Play Now's choice."""
