"""Engine to Qt: the one place that crosses threads."""
