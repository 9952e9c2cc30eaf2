"""The command line: one module per command."""

from importlib import import_module
from types import ModuleType

COMMANDS = (
    "list", "info", "play", "score", "rate", "fit", "predict", "evaluate", "balance", "import", "export", "history",
    "games", "demo", "screenshot",
)  # fmt: skip
"""Names of the commands. Their modules are imported only when needed."""


def load_command(name: str) -> ModuleType:
    """Import and return the module of a command."""
    return import_module(f"browser_app.commands.{name}_command")
