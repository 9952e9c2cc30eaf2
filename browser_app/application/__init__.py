"""Application logic that the window and the command line share."""
