"""The command line: one module per command."""

from importlib import import_module
from types import ModuleType

COMMANDS = (
    "list", "info", "play", "score", "rate", "fit", "predict", "evaluate", "balance", "import", "history", "demo",
    "screenshot",
)  # fmt: skip
"""Names of the commands: their modules are imported only when asked for."""


def load_command(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(f"browser_app.commands.{name}_command")
