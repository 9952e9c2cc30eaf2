"""Command lines that start another process of this program.

Wherever the program lies: in a checkout, in an environment, or as a folder of its own without a Python to start, where
each such process has an executable beside the program's.
"""

import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent


def child_process_command(module: str, executable: str) -> tuple[str, ...]:
    """The words that start `main` of `module`, to which arguments may be added.

    No file of the present folder can stand in for a module.

    Args:
        module: whose `main` returns the exit status, or nothing.
        executable: the name, without a suffix, of what does the same in the program's own folder.
    """
    if getattr(sys, "frozen", False):
        program = Path(sys.executable)
        return (str(program.with_name(executable + program.suffix)),)
    start = f"import sys; sys.path.append({str(_ROOT)!r}); from {module} import main; sys.exit(main())"
    return (sys.executable, "-P", "-c", start)
