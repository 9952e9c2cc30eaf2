"""Query protocols from the side of the demo servers."""
