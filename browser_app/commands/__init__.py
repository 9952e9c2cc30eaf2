"""The command line: one file a command.

A command is a module with `HELP`, `add_arguments(parser, context)` and `run(args, context) -> exit status`; to add one,
write the module and name it here.
"""

from importlib import import_module
from types import ModuleType

COMMANDS = (
    "list", "info", "play", "score", "rate", "fit", "predict", "evaluate", "balance", "import", "history", "demo",
    "screenshot",
)  # fmt: skip
"""Names of the commands: their modules are imported only when asked for."""

_MODULES = {"import": "import_rounds"}
"""Of those whose name is none that Python allows."""


def command(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(f"browser_app.commands.{_MODULES.get(name, name)}")
