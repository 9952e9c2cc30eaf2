"""The manual, the problem report and the notice of an unexpected error."""
