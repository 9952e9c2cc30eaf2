"""Score of a server: factors, explanation and Play Now's choice."""
