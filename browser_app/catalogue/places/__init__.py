"""Countries, regions of the world and languages of servers."""
