"""What a demo server of the Quake III family or of DarkPlaces says when asked."""

from collections.abc import Callable, Sequence

from browser_app.demo.population import Person, Population
from browser_app.demo.prepared import Prepared
from browser_app.demo.quake_report import short_info, status_info
from browser_app.demo.server import Peer
from browser_app.demo.tally import Tally
from browser_app.protocols.quake3 import Quake3Player
from browser_app.protocols.quake3_server import StatusRequest, read_request, write_info, write_status

_PLACE = "{challenge}"
"""Stands in a prepared reply where the asker's challenge will be."""
_FLOOD_NS = 1_000_000_000
"""DarkPlaces' net_getstatusfloodblockingtimeout."""
_SPECTATOR_SCORES = {"warfork": "-9999", "xonotic": "-666", "nexuiz": "-666"}
_TEAM_NUMBERED = ("xonotic", "nexuiz", "warfork")


class QuakeAnswers:
    """One server's answers: prepared bytes with the asker's challenge put in."""

    def __init__(self, state: Population, now_s: Callable[[], float]) -> None:
        self._state = state
        self._prepared = Prepared(state, now_s)

    def answer(self, request: bytes, peer: Peer, received_ns: int) -> Sequence[bytes]:  # noqa: ARG002 (no guard here)
        """See `Answers`."""
        asked = read_request(request.rstrip(b"\0"))  # engines read up to a zero byte, and some askers send one
        pieces = self._prepared.get((asked.wants_players, bool(asked.challenge)), self._maker(asked))
        return (asked.challenge.encode("ascii").join(pieces),)

    def _maker(self, asked: StatusRequest) -> Callable[[float], Sequence[bytes]]:
        token = _PLACE if asked.challenge else ""

        def make(now_s: float) -> Sequence[bytes]:
            if asked.wants_players:
                rows = [_row(self._state, person, now_s) for person in self._state.people]
                behind = self._state.sheet.id == "warfork"
                reply = write_status(status_info(self._state), rows, challenge=token, team_behind=behind)
            else:
                reply = write_info(short_info(self._state), challenge=token)
            return reply.split(_PLACE.encode("ascii"))

        return make


class DarkPlacesAnswers(QuakeAnswers):
    """With the engine's flood guard: one answer a second to an IP address, whatever its port; blocked queries do not
    prolong the wait (netconn.c, NetConn_PreventFlood)."""

    def __init__(self, state: Population, now_s: Callable[[], float], guard: bool, tally: Tally) -> None:
        super().__init__(state, now_s)
        self._guard = guard
        self._tally = tally
        self._answered_ns: dict[str, int] = {}

    def answer(self, request: bytes, peer: Peer, received_ns: int) -> Sequence[bytes]:
        """See `Answers`."""
        datagrams = super().answer(request, peer, received_ns)
        if self._guard:
            if received_ns - self._answered_ns.get(peer[0], 0) < _FLOOD_NS:
                self._tally.guarded += 1
                return ()
            self._answered_ns[peer[0]] = received_ns
        return datagrams


def _row(state: Population, person: Person, now_s: float) -> Quake3Player:
    game = state.sheet.id
    score = str(state.score_of(person, now_s))
    if person.spectator:
        score = _SPECTATOR_SCORES.get(game, score)
    numbered = game in _TEAM_NUMBERED and (state.played.teams or game == "warfork")
    return Quake3Player(person.name, score, person.ping_ms, person.team if numbered else None)
