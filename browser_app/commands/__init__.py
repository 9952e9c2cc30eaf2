"""The command line: one module per command, however short."""

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    import argparse

    from browser_app.application.app_context import AppContext

COMMANDS = (
    "list", "info", "play", "score", "rate", "fit", "predict", "evaluate", "balance", "import", "export", "history",
    "games", "demo", "screenshot",
)  # fmt: skip
"""Names of the commands. Their modules are imported only when needed."""


class Command(Protocol):
    """Interface of a command's module."""

    HELP: str
    """One line for the help and the man page."""

    def add_arguments(self, parser: "argparse.ArgumentParser", context: "AppContext") -> None:
        """Add the command's arguments to its parser."""

    def run(self, args: "argparse.Namespace", context: "AppContext") -> int:
        """Run the command and return its exit status."""


def load_command(name: str) -> Command:
    """Import and return the module of a command."""
    return cast("Command", import_module(f"browser_app.commands.{name}_command"))
