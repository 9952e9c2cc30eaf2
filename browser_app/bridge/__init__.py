"""Qt objects that run the layers below off the GUI thread."""
