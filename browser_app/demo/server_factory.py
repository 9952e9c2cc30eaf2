"""Construction of demo servers from their specs."""

import socket
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from browser_app.demo.demo_server import DemoServer, NetworkStatistics, ServerParts, ServerResponder
from browser_app.demo.faults.demo_states import DemoState
from browser_app.demo.faults.faulty_responder import FaultyResponder
from browser_app.demo.faults.faulty_server import FAULTY_SERVERS
from browser_app.demo.faults.network_faults import ServerFault
from browser_app.demo.faults.state_responders import STATE_RESPONDERS
from browser_app.demo.population import DemoServerState
from browser_app.demo.responders.a2s_responder import A2SResponder
from browser_app.demo.responders.ase_responder import AseResponder
from browser_app.demo.responders.cube2_responder import Cube2Responder
from browser_app.demo.responders.doom_responder import ChocolateDoomResponder, OdamexResponder, ZandronumResponder
from browser_app.demo.responders.free_game_responders import (
    ArmagetronResponder,
    BzflagResponder,
    MumbleResponder,
    OpenTTDResponder,
    SuperTuxKartResponder,
    split_openttd_request,
)
from browser_app.demo.responders.gamespy_responder import (
    GameSpy1Responder,
    GameSpy2Responder,
    GameSpy3Responder,
    Unreal2Responder,
)
from browser_app.demo.responders.listed_responder import ListedResponder
from browser_app.demo.responders.luanti_responder import LuantiResponder
from browser_app.demo.responders.mindustry_responder import MindustryResponder
from browser_app.demo.responders.minecraft_responder import BedrockResponder, JavaResponder, split_java_request
from browser_app.demo.responders.quake_responder import DarkPlacesResponder, FiveMResponder, QuakeResponder
from browser_app.demo.responders.quakeworld_responder import Quake2Responder, QuakeWorldResponder
from browser_app.demo.responders.samp_responder import SampResponder
from browser_app.demo.responders.station_responder import StationResponder, split_http_request
from browser_app.demo.responders.teeworlds_responder import Teeworlds06Responder, Teeworlds07Responder
from browser_app.demo.scenario import ServerSpec
from browser_app.demo.sockets.demo_event_loop import DemoEventLoop
from browser_app.demo.sockets.simulated_link import SimulatedLink
from browser_app.demo.sockets.stream_server import SplitRequest, StreamServer
from browser_app.protocols.cube2 import cube2_session as cube2
from browser_app.protocols.query_protocols import (
    A2S,
    ARMAGETRON,
    ASE,
    ASSAULT_CUBE,
    BEDROCK,
    BZFLAG,
    CHOCOLATE_DOOM,
    DARKPLACES,
    FIVEM,
    GAMESPY1,
    GAMESPY2,
    GAMESPY3,
    HEXENWORLD,
    LISTED,
    LUANTI,
    MINDUSTRY,
    MINECRAFT,
    MUMBLE,
    ODAMEX,
    OPENTTD,
    QUAKE2,
    QUAKE3,
    QUAKEWORLD,
    RED_ECLIPSE,
    SAMP,
    SAUERBRATEN,
    SPACE_STATION,
    SUPERTUXKART,
    TEEWORLDS06,
    TEEWORLDS07,
    TESSERACT,
    UNREAL2,
    VCMP,
    ZANDRONUM,
)
from browser_app.protocols.san_andreas import samp


class DemoServerFactory:
    """Makes the servers of one demo network."""

    def __init__(
        self, loop: DemoEventLoop, statistics: NetworkStatistics, now_s: Callable[[], float], *, flood_guard: bool
    ) -> None:
        """`now_s` returns seconds since the network's start; `flood_guard` is DarkPlaces'."""
        self._loop = loop
        self._statistics = statistics
        self._now_s = now_s
        self._flood_guard = flood_guard

    def make_server(self, spec: ServerSpec, sock: socket.socket, link: SimulatedLink) -> DemoServer:
        """Return the server of a spec at a bound socket, served by the loop."""
        responder = self._make_responder(spec, sock.getsockname()[1])
        parts = ServerParts(sock, spec.server, responder, link, self._loop, self._statistics, spec.fault)
        split_request = _STREAM_REQUESTS.get(spec.server.game.protocol)
        server_class = DemoServer if spec.fault is None else FAULTY_SERVERS.get(spec.fault, DemoServer)
        server = server_class(parts) if split_request is None else StreamServer(parts, split_request)
        self._loop.watch(sock, server.on_readable)
        return server

    def _make_responder(self, spec: ServerSpec, query_port: int) -> ServerResponder | None:
        """Return the responder of a server at `query_port`; None for a dead server."""
        if not spec.is_alive:
            return None
        game_port = query_port - spec.server.game.profile.query_port_offset
        context = _ResponderContext(spec, spec.server, game_port, self._now_s, self._flood_guard, self._statistics)
        responder = _RESPONDERS[spec.server.game.protocol](context)
        if spec.state is not None and spec.state in STATE_RESPONDERS:
            return STATE_RESPONDERS[spec.state](responder)
        if spec.fault is None or spec.fault in FAULTY_SERVERS:
            return responder
        return FaultyResponder(responder, spec.server.game.protocol, spec.fault, spec.server.number)


class _ResponderContext(NamedTuple):
    """Arguments of responders."""

    spec: ServerSpec
    state: DemoServerState
    game_port: int
    now_s: Callable[[], float]
    flood_guard: bool
    statistics: NetworkStatistics


def _make_a2s_responder(context: _ResponderContext) -> A2SResponder:
    spec = context.spec
    challenge = spec.challenge_info or spec.fault is ServerFault.SILENT_AFTER_CHALLENGE
    false_count = spec.fault is ServerFault.FALSE_COUNT or spec.state is DemoState.EMPTY_LIST
    return A2SResponder(context.state, context.game_port, challenge, false_count, context.now_s)


_RESPONDERS: Final[Mapping[str, Callable[[_ResponderContext], ServerResponder]]] = {
    A2S: _make_a2s_responder,
    QUAKE3: lambda context: QuakeResponder(context.state, context.now_s),
    DARKPLACES: lambda context: DarkPlacesResponder(
        context.state, context.now_s, context.flood_guard, context.statistics
    ),
    FIVEM: lambda context: FiveMResponder(context.state, context.now_s),
    TEEWORLDS06: lambda context: Teeworlds06Responder(context.state, context.now_s),
    TEEWORLDS07: lambda context: Teeworlds07Responder(context.state, context.now_s),
    MINECRAFT: lambda context: JavaResponder(context.state, context.now_s),
    BEDROCK: lambda context: BedrockResponder(context.state, context.game_port),
    LUANTI: lambda _context: LuantiResponder(),
    SAMP: lambda context: SampResponder(context.state, context.now_s, samp.SAMP),
    VCMP: lambda context: SampResponder(context.state, context.now_s, samp.VCMP),
    QUAKEWORLD: lambda context: QuakeWorldResponder(context.state, context.now_s),
    HEXENWORLD: lambda context: QuakeWorldResponder(context.state, context.now_s, for_hexenworld=True),
    QUAKE2: lambda context: Quake2Responder(context.state, context.now_s),
    ZANDRONUM: lambda context: ZandronumResponder(
        context.state, context.now_s, context.flood_guard, context.statistics
    ),
    ODAMEX: lambda context: OdamexResponder(context.state, context.now_s),
    CHOCOLATE_DOOM: lambda context: ChocolateDoomResponder(context.state),
    ASE: lambda context: AseResponder(context.state, context.game_port, context.now_s),
    SAUERBRATEN: lambda context: Cube2Responder(context.state, context.now_s, cube2.SAUERBRATEN),
    RED_ECLIPSE: lambda context: Cube2Responder(context.state, context.now_s, cube2.RED_ECLIPSE),
    ASSAULT_CUBE: lambda context: Cube2Responder(context.state, context.now_s, cube2.ASSAULT_CUBE),
    TESSERACT: lambda context: Cube2Responder(context.state, context.now_s, cube2.TESSERACT),
    OPENTTD: lambda context: OpenTTDResponder(context.state),
    BZFLAG: lambda context: BzflagResponder(context.state),
    ARMAGETRON: lambda context: ArmagetronResponder(context.state, context.game_port),
    SUPERTUXKART: lambda context: SuperTuxKartResponder(context.state, context.game_port),
    MUMBLE: lambda context: MumbleResponder(context.state),
    SPACE_STATION: lambda context: StationResponder(context.state),
    LISTED: lambda _context: ListedResponder(),
    MINDUSTRY: lambda context: MindustryResponder(context.state),
    GAMESPY1: lambda context: GameSpy1Responder(context.state, context.game_port, context.now_s),
    GAMESPY2: lambda context: GameSpy2Responder(context.state, context.game_port, context.now_s),
    GAMESPY3: lambda context: GameSpy3Responder(context.state, context.game_port, context.now_s),
    UNREAL2: lambda context: Unreal2Responder(context.state, context.game_port, context.now_s),
}
"""The responder of each protocol."""
_STREAM_REQUESTS: Final[Mapping[str, SplitRequest]] = {
    MINECRAFT: split_java_request,
    OPENTTD: split_openttd_request,
    SPACE_STATION: split_http_request,
}
"""How a stream is split into requests, by protocol."""
