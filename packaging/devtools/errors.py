"""The error that stops a set-up."""


class SetupError(Exception):
    """The set-up cannot continue. The message says what was tried and what to do."""
