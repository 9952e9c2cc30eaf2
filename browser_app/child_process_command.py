"""Command lines that start a child process of this program.

They work in a checkout, in a virtual environment and in a frozen build. A frozen build has no Python interpreter; each
child process has an executable of its own beside the program's.
"""

import sys
from pathlib import Path

_PACKAGE_PARENT = Path(__file__).resolve().parent.parent


def child_process_command(module: str, executable: str) -> tuple[str, ...]:
    """Return the arguments that run `main` of a module; more may be appended.

    The child imports the same copy of the package as this process, even where another one is installed or on
    `PYTHONPATH`. Files in the current directory cannot shadow modules.

    Args:
        module: its `main` returns the exit status or None.
        executable: name, without suffix, of the executable in a frozen build that does the same.
    """
    if getattr(sys, "frozen", False):
        program = Path(sys.executable)
        return (str(program.with_name(executable + program.suffix)),)
    # The package's parent folder is first only for this import: it may be site-packages, which must not shadow the
    # standard library.
    import_this_copy = (
        f"sys.path.insert(0, {str(_PACKAGE_PARENT)!r}); import {__package__}; sys.path.append(sys.path.pop(0))"
    )
    code = f"import sys; {import_this_copy}; from {module} import main; sys.exit(main())"
    return (sys.executable, "-P", "-c", code)
