"""Demo network in a child process."""

import contextlib
import dataclasses
import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Self

import msgspec

from browser_app.catalogue.sample_series import SampleSeries
from browser_app.child_process_command import child_process_command
from browser_app.demo.demo_names import USER_IDENTITIES
from browser_app.demo.demo_network import DemoSources
from browser_app.demo.demo_options import DemoOptions
from browser_app.demo.demo_runner import REPORT_REQUEST, make_network
from browser_app.demo.server_history import make_server_history
from browser_app.demo.sockets.loopback_sockets import DemoError
from browser_app.demo.stand_in_game import stand_in_programs
from browser_app.player.demo_player import DemoPlayer, DemoRounds, DemoSample
from browser_app.protocols.address import Address
from browser_app.protocols.server_url import parse_server_url

_START_TIMEOUT_S = 20.0
_REPORT_TIMEOUT_S = 5.0
_END_TIMEOUT_S = 0.8
DEMO_COMMAND: Final = (*child_process_command("browser_app.__main__", "ready-room"), "demo")


class DemoProcess:
    """A child process that runs `demo`, ready at once; never outlives this process.

    Use as a context manager, or call `close`.
    """

    def __init__(self, options: DemoOptions | None = None, command: Sequence[str] = DEMO_COMMAND) -> None:
        """Start the child process.

        Raises:
            DemoError: it ended at once or did not become ready; its messages are on standard error.
        """
        self._options = options or DemoOptions()
        # Its timing lines would be mistaken for ours on standard error.
        environment = {key: value for key, value in os.environ.items() if key != "READY_ROOM_TIMINGS"}
        arguments = dataclasses.replace(self._options, until_eof=True).arguments()
        self._process = subprocess.Popen(  # noqa: S603 (our own program)
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            process_group=0
            if os.name == "posix"
            else None,  # Ctrl-C is for this process; the child ends with its standard input
        )
        try:
            sources = self._read_line(_START_TIMEOUT_S)
            self.sources = msgspec.convert(sources, DemoSources)
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def report(self) -> dict[str, Any]:
        """Return the child's `DemoNetwork.report`: counts, lateness, true pings.

        Raises:
            DemoError: the child has ended.
        """
        assert self._process.stdin is not None  # noqa: S101 (it was opened as a pipe)
        try:
            self._process.stdin.write(REPORT_REQUEST)
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise DemoError("the demo network has ended") from None
        return self._read_line(_REPORT_TIMEOUT_S)

    def server_history(self, now: float) -> Iterator[Mapping[Address, SampleSeries]]:
        """Return the servers' samples up to `now` (Unix time, s), in batches."""
        addresses = [parse_server_url(url)[1] for url in self.sources.servers]
        specs = make_network(self._options).specs
        return make_server_history(list(zip(addresses, specs, strict=True)), now, time.localtime, self.sources.seed)

    @property
    def demo_player(self) -> DemoPlayer:
        """Return the demo user."""
        return DemoPlayer(USER_IDENTITIES, self._user_rounds, self.sources.skill_services, _skill_samples)

    @property
    def game_programs(self) -> Mapping[str, str]:
        """Return, by game id, the program that joins the servers in place of the game."""
        return stand_in_programs(self.sources.skill_services)

    def _user_rounds(self, now: float) -> Iterator[DemoRounds]:
        from browser_app.demo.user.demo_rounds import make_user_rounds  # a list does not need the generated rounds

        return make_user_rounds(now, time.localtime, self.sources.seed)

    def close(self) -> None:
        """End the child within 1 s."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # it may have ended with unread requests in the pipe
                    pipe.close()
        try:
            self._process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_line(self, timeout_s: float) -> dict[str, Any]:
        """Return the child's next line; kill the child if it takes too long."""
        assert self._process.stdout is not None  # noqa: S101 (it was opened as a pipe)
        too_long = threading.Timer(timeout_s, self._process.kill)
        too_long.daemon = True  # not joined if Ctrl-C arrives while it starts
        try:
            too_long.start()
            line = self._process.stdout.readline()
        finally:
            too_long.cancel()
            if too_long.is_alive():
                too_long.join()
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise DemoError(f"the demo network did not start or has ended (exit status {self._process.poll()})")
        return message


def _skill_samples(now: float) -> Iterator[DemoSample]:
    from browser_app.demo.user.demo_rounds import make_skill_history  # imported here for the same reason

    return make_skill_history(now)
