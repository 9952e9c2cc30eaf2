"""A demo network in a process of its own, so that neither disturbs the other's clock."""

import contextlib
import dataclasses
import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Self

from browser_app.catalogue.series import Series
from browser_app.demo.command import REPORT, network_of
from browser_app.demo.network import DemoSources
from browser_app.demo.options import DemoOptions
from browser_app.demo.past import past_of
from browser_app.demo.players import IDENTITIES, PARAMETERS
from browser_app.demo.sockets import DemoError
from browser_app.own_process import own_process
from browser_app.player.given import GivenPlayer, GivenRounds, GivenSample
from browser_app.protocols.address import Address
from browser_app.protocols.server_list import parse_server_url

_START_LIMIT_S = 20.0
_REPORT_LIMIT_S = 5.0
_END_LIMIT_S = 0.8
COMMAND: Final = (*own_process("browser_app.__main__", "ready-room"), "demo")


class DemoProcess:
    """A child that runs `demo`; ready when the constructor returns, and gone with this process, however that ends.

    Use as a context manager, or call `close`.
    """

    def __init__(self, options: DemoOptions | None = None, command: Sequence[str] = COMMAND) -> None:
        """Start it.

        Raises:
            DemoError: it ended at once or did not get ready; its own words are on standard error.
        """
        self._options = options or DemoOptions()
        # Its timings would look like ours to whoever reads our standard error.
        environment = {key: value for key, value in os.environ.items() if key != "READY_ROOM_TIMINGS"}
        arguments = dataclasses.replace(self._options, until_eof=True).arguments()
        self._child = subprocess.Popen(  # noqa: S603 (our own program)
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            process_group=0 if os.name == "posix" else None,  # Ctrl-C is for us; it ends with its standard input
        )
        try:
            said = self._read_line(_START_LIMIT_S)
            self.sources = DemoSources(
                masters=tuple(said["masters"]),
                servers=tuple(said["servers"]),
                seed=int(said["seed"]),
                steam_key=str(said["steam_key"]),
                skill_services=str(said["skill_services"]),
            )
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._child.pid

    def report(self) -> dict[str, Any]:
        """What `DemoNetwork.report` says in the child: counts, lateness, true pings.

        Raises:
            DemoError: the child is gone.
        """
        assert self._child.stdin is not None  # noqa: S101 (it was opened as a pipe)
        try:
            self._child.stdin.write(REPORT)
            self._child.stdin.flush()
        except (OSError, ValueError):
            raise DemoError("the demo network has ended") from None
        return self._read_line(_REPORT_LIMIT_S)

    def past(self, now: float) -> Iterator[Mapping[Address, Series]]:
        """What its servers have been through up to `now` (Unix time, s), in portions."""
        addresses = [parse_server_url(url)[1] for url in self.sources.servers]
        parts = network_of(self._options).parts
        return past_of(list(zip(addresses, parts, strict=True)), now, time.localtime, self.sources.seed)

    @property
    def player(self) -> GivenPlayer:
        """Who plays on it."""
        return GivenPlayer(IDENTITIES, self._rounds, PARAMETERS, self.sources.skill_services, _samples)

    def _rounds(self, now: float) -> Iterator[GivenRounds]:
        from browser_app.demo.player import kept_rounds  # its worlds are more than a list needs

        return kept_rounds(now, time.localtime, self.sources.seed)

    def close(self) -> None:
        """End the child, within 1 s."""
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # it may have gone with unread words in the pipe
                    pipe.close()
        try:
            self._child.wait(_END_LIMIT_S)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read_line(self, limit_s: float) -> dict[str, Any]:
        """The child's next line. One that takes too long is ended, which ends its output too."""
        assert self._child.stdout is not None  # noqa: S101 (it was opened as a pipe)
        too_long = threading.Timer(limit_s, self._child.kill)
        too_long.daemon = True  # nobody waits for it where Ctrl-C hits its start
        try:
            too_long.start()
            line = self._child.stdout.readline()
        finally:
            too_long.cancel()
            if too_long.is_alive():
                too_long.join()
        try:
            said = json.loads(line)
        except ValueError:
            said = None
        if not isinstance(said, dict):
            raise DemoError(f"the demo network did not start or has ended (exit status {self._child.poll()})")
        return said


def _samples(now: float) -> Iterator[GivenSample]:
    from browser_app.demo.skill_past import said_before  # the same

    return said_before(now)
