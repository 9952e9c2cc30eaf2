"""GameSpy's query protocols 1 to 3, and its master servers."""
