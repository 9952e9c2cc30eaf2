"""The core rating module: rounds in, ratings and predictions out. Needs only numpy."""
