"""A child that sends forged datagrams at a steady rate, and counts them."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from subprocess import PIPE
from types import TracebackType
from typing import Self

from bench_child import HERE

PROMISED_PER_S = 50_000
_REQUESTED_PER_S = 55_000
"""More than promised, as the child finds a poll's ports some time after its start."""


class Flood:
    """Sends forged datagrams to this process while the block runs.

    They claim to come from `servers`, and from unknown senders.
    """

    def __init__(self, servers: Iterable[str]) -> None:
        """`servers`: as HOST:PORT."""
        self._servers = "\n".join(servers).encode()
        self._ends = ExitStack()

    @property
    def sent(self) -> int:
        """Number of datagrams sent so far."""
        return int(self._count.read_text(encoding="ascii"))

    def __enter__(self) -> Self:
        """Start the child.

        Raises:
            OSError: the child could not start; standard error says why.
        """
        self._count = Path(self._ends.enter_context(tempfile.TemporaryDirectory())) / "sent"
        command = [sys.executable, str(HERE / "flooder.py"), str(os.getpid()), str(_REQUESTED_PER_S), str(self._count)]
        flooder = self._ends.enter_context(subprocess.Popen(command, stdin=PIPE, stdout=PIPE))
        self._ends.callback(flooder.kill)
        assert flooder.stdin is not None
        assert flooder.stdout is not None
        flooder.stdin.write(self._servers)
        flooder.stdin.close()
        if not flooder.stdout.readline():
            self._ends.close()
            raise OSError("the flooder did not start: it needs root to forge senders")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ends.close()
