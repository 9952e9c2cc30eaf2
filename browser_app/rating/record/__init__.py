"""Records of rounds as numpy columns."""
