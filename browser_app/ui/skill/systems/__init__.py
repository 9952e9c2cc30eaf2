"""The page Systems: rating systems compared, and their parameters."""
