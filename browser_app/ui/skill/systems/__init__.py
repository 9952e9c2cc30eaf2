"""The page *Systems*: which rating system predicts best on this record, with how much doubt, and its parameters."""
