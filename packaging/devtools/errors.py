"""What stops a set-up."""


class SetupError(Exception):
    """The set-up cannot go on. The text says in plain words what was tried and what to do."""
