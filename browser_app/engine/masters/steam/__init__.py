"""Steam's lists of servers."""
