"""Query protocols of the multiplayer modifications of GTA: San Andreas and Vice City."""
