"""The page *Fair games*: what a server's game would be for me, and two even teams from any players."""
