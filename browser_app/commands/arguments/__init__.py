"""Arguments that several commands have, and what they are turned into."""
