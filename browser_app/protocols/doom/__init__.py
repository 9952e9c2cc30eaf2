"""Query and master protocols of Doom ports: Zandronum, Odamex and Chocolate Doom."""
