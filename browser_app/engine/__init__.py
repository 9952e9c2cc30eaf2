"""Scanner, masters and Play Now's verifying run."""
