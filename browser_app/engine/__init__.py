"""Network engine: scanner, master server polls and Play Now."""
