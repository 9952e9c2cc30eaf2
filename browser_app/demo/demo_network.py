"""Demo network: game servers and master servers on loopback."""

import json
import random
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Self

from browser_app.demo.demo_server import DemoServer, NetworkStatistics
from browser_app.demo.faults.network_faults import NetworkFaults
from browser_app.demo.games.game_spec import GameSpec
from browser_app.demo.masters.demo_masters import DEMO_STEAM_KEY, DemoWebMasters
from browser_app.demo.masters.single_request_masters import UDP_MASTERS
from browser_app.demo.masters.tcp_masters import TCP_LISTS, DemoTcpMaster
from browser_app.demo.masters.udp_masters import DemoDpMaster, DemoUdpMaster
from browser_app.demo.population import PopulationSimulation
from browser_app.demo.scenario import GAME_SPECS, QUERIED_GAMES, ServerSpec, make_server_specs
from browser_app.demo.server_factory import DemoServerFactory
from browser_app.demo.sockets.demo_event_loop import DemoEventLoop
from browser_app.demo.sockets.demo_http_server import DemoHttpServer, HttpResponse
from browser_app.demo.sockets.loopback_sockets import (
    DemoError,
    LoopbackAddresses,
    open_listening_socket,
    open_udp_socket,
    raise_descriptor_limit,
)
from browser_app.demo.sockets.simulated_link import SimulatedLink
from browser_app.demo.user import demo_skill_services
from browser_app.demo.user.demo_lists import make_user_lists
from browser_app.player.demo_player import DemoLists
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS

_SIMULATION_STEP_NS = 50_000_000


@dataclass(frozen=True, slots=True)
class DemoSources:
    """Addresses of a running demo network; the command `demo` prints them as JSON."""

    masters: tuple[str, ...]
    """Master URLs."""
    servers: tuple[str, ...]
    """Server URLs of all servers, including dead and faulty ones."""
    seed: int
    steam_key: str
    """Key for the master servers with `steam-web+http` URLs."""
    skill_services: str
    """`http://HOST:PORT` of the stand-ins for Steam's and XonStat's skill services."""
    countries: Mapping[str, str]
    """Countries of the servers by host, which no table of addresses knows; empty where all share one host."""
    user_lists: DemoLists
    """The demo user's lists of these servers; empty without servers in rare states."""

    def as_json(self) -> str:
        """Return the sources as one line of JSON."""
        return json.dumps(asdict(self))


class DemoNetwork:
    """A network of game servers. Use as a context manager, or call `start` and `stop`.

    Its initial state (addresses, names, players, latencies, faults) depends on the arguments alone; after that, players
    join and leave in real time. With `jitter_ms` 0 every reply is held for exactly its server's latency, counted from
    the kernel's receive stamp of the request; latencies below 1 ms are not guaranteed.
    """

    def __init__(
        self,
        servers: int = 200,
        latency_ms: tuple[float, float] = (20.0, 180.0),
        loss: float = 0.0,
        dead: float = 0.0,
        seed: int = 1,
        faults: NetworkFaults | None = None,
        *,
        jitter_ms: float = 0.0,
        challenge_info: float = 0.6,
        flood_guard: bool = True,
        simulate_players: bool = True,
        games: Sequence[str] = QUERIED_GAMES,
        states: bool = False,
        shared_host: bool = False,
    ) -> None:
        """Plan a network.

        Args:
            servers: number of servers.
            latency_ms: lowest and highest latency of a server; low ones are more common than high ones.
            loss: probability that a datagram is lost, for each one independently, in both directions.
            dead: share of servers that never answer, although master servers list them.
            seed: seed of all random numbers.
            faults: further faults; none by default.
            jitter_ms: replies are up to this much later.
            challenge_info: share of A2S servers that need a challenge for info, too.
            flood_guard: DarkPlaces servers answer one query a second to one IP address, as real ones do.
            simulate_players: players join and leave.
            games: profile IDs of the games to simulate; by default those whose servers answer queries.
            states: one server each is in a state that is rare by chance; see `DemoState`.
            shared_host: put all servers on ports of 127.0.0.1, for systems without further loopback addresses.
        """
        self.faults = faults or NetworkFaults()
        self.statistics = NetworkStatistics()
        self.seed = seed
        self._rng = random.Random(seed)  # noqa: S311 (simulation, not cryptography)
        self._specs = make_server_specs(
            servers,
            latency_ms,
            dead=dead,
            challenge_info=challenge_info,
            faults=self.faults,
            games=games,
            states=states,
            rng=self._rng,
        )
        self._loss, self._jitter_ms = loss, jitter_ms
        self._flood_guard, self._simulate_players, self._shared_host = flood_guard, simulate_players, shared_host
        self._started_s = time.monotonic()
        self._servers: list[DemoServer] = []
        self._thread: threading.Thread | None = None
        self._drop_running_parts()

    def _drop_running_parts(self) -> None:
        """Drop what exists only while the network runs.

        Servers stay, for their figures.
        """
        self._masters: list[DemoUdpMaster | DemoTcpMaster] = []
        self._web_masters: DemoWebMasters | None = None
        self._web_server: DemoHttpServer | None = None
        self._addresses: LoopbackAddresses | None = None
        self._loop: DemoEventLoop | None = None

    @property
    def servers(self) -> Sequence[DemoServer]:
        """All servers, in the order of their addresses; empty before `start`."""
        return self._servers

    @property
    def specs(self) -> Sequence[ServerSpec]:
        """Specs of all servers, in the order of their addresses; players as at the start."""
        return self._specs

    @property
    def sources(self) -> DemoSources:
        """Addresses of everything; only while started."""
        web_masters = self._web_masters.urls(self._web_url()) if self._web_masters is not None else ()
        return DemoSources(
            masters=(*web_masters, *(master.url for master in self._masters)),
            servers=tuple(server.url for server in self._servers),
            seed=self.seed,
            steam_key=DEMO_STEAM_KEY,
            skill_services=self._web_url(),
            countries=self._countries(),
            user_lists=self._user_lists(),
        )

    def true_pings(self) -> dict[str, tuple[float, ...]]:
        """Return, by `HOST:PORT`, how long the latest requests were held, ms, newest last.

        Measured from the kernel's receive stamp to the send; servers that answered nothing are left out.
        """
        return {
            str(server.address): tuple(held / 1e6 for held in server.hold_times_ns)
            for server in self._servers
            if server.hold_times_ns is not None
        }

    def request_counts(self) -> dict[str, int]:
        """Return, by `HOST:PORT`, how many requests arrived at servers that got any."""
        return {str(server.address): server.request_count for server in self._servers if server.request_count}

    def report(self) -> dict[str, Any]:
        """Return counts, lateness and true pings, ready for JSON."""
        return self.statistics.as_json() | {"pings_ms": self.true_pings(), "requests_to": self.request_counts()}

    def start(self) -> None:
        """Bind all sockets and serve.

        Raises:
            DemoError: too few open files or ports.
        """
        raise_descriptor_limit(len(self._specs))
        self._started_s = time.monotonic()
        self._loop = DemoEventLoop()
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
        """End the thread and close all sockets; does nothing when not started."""
        if self._thread is not None and self._loop is not None:
            self._loop.stop()
            self._thread.join()
            self._thread = None
        self._close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _build(self, loop: DemoEventLoop) -> None:
        self._addresses = LoopbackAddresses(shared_host=self._shared_host)
        factory = DemoServerFactory(loop, self.statistics, self._now_s, flood_guard=self._flood_guard)
        for spec in self._specs:
            self._servers.append(self._make_server(spec, factory, self._addresses))
        for game in dict.fromkeys(spec.server.game.id for spec in self._specs):
            self._add_udp_master(GAME_SPECS[game], loop, self._addresses)
            self._add_tcp_master(GAME_SPECS[game], loop, self._addresses)
        self._web_masters = DemoWebMasters(self._servers, self.faults, self._now_s)
        self._web_server = DemoHttpServer(loop, partial(_respond_to_request, self._web_masters))
        if self._simulate_players:
            self._start_simulation(loop)

    def _make_server(self, spec: ServerSpec, factory: DemoServerFactory, addresses: LoopbackAddresses) -> DemoServer:
        game = spec.server.game
        open_socket = open_listening_socket if QUERY_PROTOCOLS[game.protocol].is_stream else open_udp_socket
        sock = addresses.bind_server(game.profile.default_port + game.profile.query_port_offset, open_socket)
        link = SimulatedLink(spec.latency_ms, spec.link_seed, self.faults, loss=self._loss, jitter_ms=self._jitter_ms)
        return factory.make_server(spec, sock, link)

    def _add_udp_master(self, game: GameSpec, loop: DemoEventLoop, addresses: LoopbackAddresses) -> None:
        master_class = DemoDpMaster if game.master_protocol else UDP_MASTERS.get(game.protocol)
        if master_class is None:
            return
        servers = [server.address for server in self._servers if server.state.game is game]
        fault = self.faults.masters.get(game.id)
        master = master_class(addresses.bind_master(), game, servers, loop, fault, self.faults.slow_s)
        loop.watch(master.sock, master.on_readable)
        self._masters.append(master)

    def _add_tcp_master(self, game: GameSpec, loop: DemoEventLoop, addresses: LoopbackAddresses) -> None:
        if game.id not in TCP_LISTS:
            return
        servers = [server for server in self._servers if server.state.game is game]
        fault = self.faults.masters.get(game.id)
        sock = addresses.bind_master(open_listening_socket)
        master = DemoTcpMaster(sock, game.id, servers, loop, self._now_s, fault, self.faults.slow_s)
        loop.watch(master.sock, master.on_readable)
        self._masters.append(master)

    def _start_simulation(self, loop: DemoEventLoop) -> None:
        simulation = PopulationSimulation([server.state for server in self._servers], self._rng)

        def step() -> None:
            simulation.advance(self._now_s())
            loop.call_at(time.time_ns() + _SIMULATION_STEP_NS, step)

        step()

    def _countries(self) -> dict[str, str]:
        countries = {server.address.host: spec.country for server, spec in zip(self._servers, self._specs, strict=True)}
        return countries if len(countries) == len(self._servers) else {}

    def _user_lists(self) -> DemoLists:
        addresses = [server.address for server in self._servers]
        return make_user_lists(zip(addresses, self._specs, strict=True), time.time())

    def _web_url(self) -> str:
        return f"http://127.0.0.1:{self._web_server.port}" if self._web_server is not None else ""

    def _now_s(self) -> float:
        """Return seconds since the start, the clock of the players' times."""
        return time.monotonic() - self._started_s

    def _close(self) -> None:
        """Close all sockets; the loop must have ended."""
        for server in self._servers:
            server.close()
        for master in self._masters:
            master.close()
        for part in (self._web_server, self._addresses, self._loop):
            if part is not None:
                part.close()
        self._drop_running_parts()


def _respond_to_request(masters: DemoWebMasters, path: str, query: dict[str, str]) -> HttpResponse | None:
    return demo_skill_services.respond_to_skill_request(path, query) or masters.handle(path, query)
