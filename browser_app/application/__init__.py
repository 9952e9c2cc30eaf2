"""Application logic shared by the window and the command line."""
