"""The demo network: real UDP servers and masters on this machine's loopback, served by one thread."""

import json
import random
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Self

from browser_app.demo import skill_services
from browser_app.demo.addresses import Addresses
from browser_app.demo.answers import make_answers
from browser_app.demo.casting import GAMES, Part, cast
from browser_app.demo.faults import Faults
from browser_app.demo.game_master import GameMaster
from browser_app.demo.liars import LyingServer
from browser_app.demo.life import Life
from browser_app.demo.line import Line, LineQuality
from browser_app.demo.loop import Loop
from browser_app.demo.server import DemoServer
from browser_app.demo.sockets import DemoError, allow_descriptors
from browser_app.demo.tally import Tally
from browser_app.demo.web_masters import LIST_PATH, STEAM_KEY, WebMasters
from browser_app.demo.web_server import WebServer

_LIFE_STEP_NS = 50_000_000
_COMMUNITY_EVERY = 20
"""The community's list names every 20th server."""


@dataclass(frozen=True, slots=True)
class DemoSources:
    """Where a demo network is to be found; `demo` prints it as JSON."""

    masters: tuple[str, ...]
    """Master URLs."""
    servers: tuple[str, ...]
    """Server URLs of all servers, also of the dead and the lying ones."""
    seed: int
    steam_key: str
    """The key for the masters of `steam-web+http`."""
    skill_services: str
    """Where what Steam and XonStat know of the demo's player can be asked: `http://HOST:PORT`."""

    def as_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))


class DemoNetwork:
    """A network of game servers. Use as a context manager, or `start` and surely `stop`.

    Where it is at the start (addresses, names, people, latencies, faults) follows from the arguments; from then on
    people come and go in real time. With `jitter_ms` 0 every answer is held for exactly its server's latency, counted
    from the kernel's receive stamp of the request; latencies below 1 ms are not promised.
    """

    def __init__(
        self,
        servers: int = 200,
        latency_ms: tuple[float, float] = (20.0, 180.0),
        loss: float = 0.0,
        dead: float = 0.0,
        seed: int = 1,
        faults: Faults | None = None,
        *,
        jitter_ms: float = 0.0,
        challenge: float = 0.6,
        flood_guard: bool = True,
        living: bool = True,
        games: Sequence[str] = tuple(GAMES),
        shared_host: bool = False,
    ) -> None:
        """Plan a network.

        Args:
            servers: how many.
            latency_ms: lowest and highest latency of a server; near ones are commoner than far ones.
            loss: likelihood that a datagram is lost, for each on its own, both ways.
            dead: share of servers that never answer, although masters name them.
            seed: decides everything that is drawn.
            faults: what else goes wrong; nothing by default.
            jitter_ms: answers come up to this much later.
            challenge: share of A2S servers that want a challenge before their info.
            flood_guard: DarkPlaces servers answer one query a second to one IP address, as real ones do.
            living: people come and go.
            games: profile ids of the games to show.
            shared_host: all servers on ports of 127.0.0.1, as where no other loopback address can be had.
        """
        self.faults = faults or Faults()
        self.tally = Tally()
        self.seed = seed
        self._quality = LineQuality(
            loss, jitter_ms, self.faults.duplicates, self.faults.reorder, self.faults.jumps, self.faults.jump_ms
        )
        self._rng = random.Random(seed)  # noqa: S311 (a stage, no secret)
        self._started_s = time.monotonic()
        self._parts = cast(
            servers, latency_ms, dead=dead, challenge=challenge, faults=self.faults, games=games, rng=self._rng
        )
        self._flood_guard = flood_guard
        self._living = living
        self._shared_host = shared_host
        self._servers: list[DemoServer] = []
        self._masters: list[GameMaster] = []
        self._loop: Loop | None = None
        self._thread: threading.Thread | None = None
        self._web: WebServer | None = None
        self._addresses: Addresses | None = None

    @property
    def servers(self) -> Sequence[DemoServer]:
        """All servers, in the order of their addresses; empty before `start`."""
        return self._servers

    @property
    def parts(self) -> Sequence[Part]:
        """What each server is, in the order of their addresses; the people are those of the start until then."""
        return self._parts

    @property
    def sources(self) -> DemoSources:
        """Where everything is; only while started."""
        return DemoSources(
            masters=(*self._web_urls(), *(master.url for master in self._masters)),
            servers=tuple(server.url for server in self._servers),
            seed=self.seed,
            steam_key=STEAM_KEY,
            skill_services=self._web_url(),
        )

    def true_pings(self) -> dict[str, tuple[float, ...]]:
        """By address (`HOST:PORT`), how long each server really held the newest requests it answered, ms, newest last.

        From the kernel's receive stamp to the send; servers that answered nothing are left out.
        """
        return {
            str(server.address): tuple(held / 1e6 for held in server.held_ns)
            for server in self._servers
            if server.held_ns is not None
        }

    def report(self) -> dict[str, Any]:
        """Counts, lateness and true pings, ready for JSON."""
        return self.tally.as_json() | {"pings_ms": self.true_pings()}

    def start(self) -> None:
        """Bind everything and serve.

        Raises:
            DemoError: too few open files or ports.
        """
        allow_descriptors(len(self._parts))
        self._started_s = time.monotonic()
        self._loop = Loop()
        self._servers.clear()
        try:
            self._build(self._loop)
        except OSError as error:
            self._close()
            raise DemoError(f"the demo network cannot be set up: {error}") from error
        except BaseException:
            self._close()
            raise
        self._thread = threading.Thread(target=self._loop.run, name="demo network", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread and close all sockets. Without effect when not started."""
        if self._thread is not None and self._loop is not None:
            self._loop.stop()
            self._thread.join()
            self._thread = None
        self._close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _build(self, loop: Loop) -> None:
        self._addresses = Addresses(shared_host=self._shared_host)
        for part in self._parts:
            self._servers.append(self._make_server(part, loop, self._addresses))
        for game in dict.fromkeys(part.population.sheet.id for part in self._parts):
            self._add_master(game, loop, self._addresses)
        steam = [server for server in self._servers if server.population.sheet.appid]
        masters = WebMasters(steam, self._servers[::_COMMUNITY_EVERY], self.faults)
        self._web = WebServer(
            loop, lambda path, query: skill_services.answer(path, query) or masters.handle(path, query)
        )
        if self._living:
            self._start_life(loop)

    def _make_server(self, part: Part, loop: Loop, addresses: Addresses) -> DemoServer:
        sheet = part.population.sheet
        sock = addresses.bind_server(sheet.port + sheet.query_offset)
        answers = make_answers(part, sock.getsockname()[1], self._flood_guard, self.tally, self._now_s)
        line = Line(part.latency_ms, self._quality, part.line_seed)
        if part.lie is None:
            server = DemoServer(sock, part.population, answers, line, loop, self.tally)
        else:
            server = LyingServer(sock, part.population, answers, line, loop, self.tally, part.lie)
        loop.watch(sock, server.readable)
        return server

    def _add_master(self, game: str, loop: Loop, addresses: Addresses) -> None:
        sheet = GAMES[game]
        if sheet.master_protocol:
            servers = [server.address for server in self._servers if server.population.sheet is sheet]
            fault = self.faults.masters.get(game)
            master = GameMaster(addresses.bind_master(), sheet, servers, loop, fault, self.faults.slow_s)
            loop.watch(master.sock, master.readable)
            self._masters.append(master)

    def _start_life(self, loop: Loop) -> None:
        life = Life([server.population for server in self._servers], self._rng)

        def step() -> None:
            life.advance(self._now_s())
            loop.at(time.time_ns() + _LIFE_STEP_NS, step)

        step()

    def _web_urls(self) -> list[str]:
        if self._web is None:
            return []
        appids = dict.fromkeys(server.population.sheet.appid for server in self._servers)
        url = self._web_url()
        return [*(f"steam-web+{url}/?appid={appid}" for appid in appids if appid), f"json+{url}{LIST_PATH}"]

    def _web_url(self) -> str:
        return f"http://127.0.0.1:{self._web.port}" if self._web is not None else ""

    def _now_s(self) -> float:
        """Seconds since the start, the clock of the people's stays."""
        return time.monotonic() - self._started_s

    def _close(self) -> None:
        """Close every socket; the loop must have ended."""
        for server in self._servers:
            server.close()
        for master in self._masters:
            master.sock.close()
        for part in (self._web, self._addresses, self._loop):
            if part is not None:
                part.close()
        self._masters.clear()
        self._web = self._addresses = self._loop = None
