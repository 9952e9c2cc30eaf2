"""The flood of a storm: a child that forges datagrams at a steady rate.

It counts how many it has sent.
"""

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
_ASKED_PER_S = 55_000
"""It finds a poll's ports a moment after the poll began."""


class Flood:
    """Flood this process while the block runs.

    Its datagrams seem to come from `servers`, and from unknown senders.
    """

    def __init__(self, servers: Iterable[str]) -> None:
        """`servers`: as HOST:PORT."""
        self._servers = "\n".join(servers).encode()
        self._ends = ExitStack()

    @property
    def sent(self) -> int:
        """How many it has sent."""
        return int(self._count.read_text(encoding="ascii"))

    def __enter__(self) -> Self:
        """Start it.

        Raises:
            OSError: it could not; its own words are on standard error.
        """
        self._count = Path(self._ends.enter_context(tempfile.TemporaryDirectory())) / "sent"
        command = [sys.executable, str(HERE / "flooder.py"), str(os.getpid()), str(_ASKED_PER_S), str(self._count)]
        flooder = self._ends.enter_context(subprocess.Popen(command, stdin=PIPE, stdout=PIPE))
        self._ends.callback(flooder.kill)
        assert flooder.stdin is not None
        assert flooder.stdout is not None
        flooder.stdin.write(self._servers)
        flooder.stdin.close()
        if not flooder.stdout.readline():
            self._ends.close()
            raise OSError("the flooder did not start: forging senders takes root")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ends.close()
