"""Virtual X display for tests of real windows."""

import os
import select
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

START_TIMEOUT_S = 60.0
"""Timeout of the start of the X server."""


@contextmanager
def virtual_display(program: str, size: str = "1600x1000") -> Iterator[str]:
    """Run `program` (Xvfb) on a free display number and yield its name, such as ":99".

    Raises:
        RuntimeError: the server ended, or named no display in time.
    """
    reader, writer = os.pipe()
    command = [program, "-displayfd", str(writer), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(
        command, pass_fds=[writer], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            os.close(writer)
            yield f":{_display_number(reader)}"
        finally:
            os.close(reader)
            server.terminate()


def _display_number(reader: int) -> int:
    """Return the number that the server writes, with a newline, once it listens."""
    text = b""
    while not text.endswith(b"\n"):
        ready, _, _ = select.select([reader], [], [], START_TIMEOUT_S)
        piece = os.read(reader, 16) if ready else b""
        if not piece:
            raise RuntimeError("Xvfb named no display")
        text += piece
    return int(text)
