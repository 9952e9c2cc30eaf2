"""The product score: its factors, their explanation, and Play Now's choice."""
