"""Measurements in a process of their own: a request and a result, both JSON."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

HERE = Path(__file__).resolve().parent
HELPERS = (HERE.parent, HERE.parent / "real", HERE.parent.parent / "packaging")
"""Folders with modules that children use."""


class ChildError(Exception):
    """A child failed or took too long; its own words are on standard error."""


def child_environment() -> dict[str, str]:
    """Return the environment of a child process.

    Windows are drawn offscreen, and the child finds the helpers of the tests.
    """
    folders = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return {
        "QT_QPA_PLATFORM": "offscreen",
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, [*map(str, HELPERS), *folders])),
    }


def ask_child(script: str, request: Mapping[str, Any], limit_s: float) -> Any:
    """Run a script beside this one and give back its result.

    Raises:
        ChildError: it failed, or was ended after `limit_s` seconds.
    """
    command = [sys.executable, str(HERE / script)]
    try:
        ended = subprocess.run(
            command,
            input=json.dumps(request),
            stdout=subprocess.PIPE,
            text=True,
            env=child_environment(),
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ChildError(f"{script} took longer than {limit_s:g} s") from None
    if ended.returncode:
        raise ChildError(f"{script} failed with exit status {ended.returncode}")
    try:
        return json.loads(ended.stdout)
    except ValueError:
        raise ChildError(f"{script} gave no result back: {ended.stdout[-200:]!r}") from None


def answer_parent(measure: Callable[[Any], Any]) -> None:
    """Read the request, measure and print the result: the child's side.

    It ends with its parent, however that ends. An exception in a slot of Qt, which Qt only prints, makes it fail, too.
    """
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    unhandled = list[BaseException]()

    def on_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not unhandled:
            sys.__excepthook__(kind, error, trace)
        unhandled.append(error)

    sys.excepthook = on_exception
    result = measure(json.load(sys.stdin))
    if unhandled:
        sys.exit(f"{len(unhandled)} unhandled exceptions, the first is above")
    json.dump(result, sys.stdout)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
