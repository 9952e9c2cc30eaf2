"""A2S, the query protocol of Source and GoldSource servers."""
