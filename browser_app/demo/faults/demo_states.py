"""Rare states, each of which one server of the demo network is put into."""

import enum
import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from browser_app.demo.demo_names import FRIEND_NAMES
from browser_app.demo.demo_options import MIN_SERVERS_WITH_STATES
from browser_app.demo.population import adjust_bots
from browser_app.protocols.query_protocols import A2S, ASE, DARKPLACES, LISTED, LUANTI, QUAKE3, TEEWORLDS06

if TYPE_CHECKING:
    from browser_app.demo.scenario import ServerSpec

_PRESENT_FRIENDS, _JOINING_FRIEND = FRIEND_NAMES[:-1], FRIEND_NAMES[-1]
_ARRIVALS = [(15.0, _JOINING_FRIEND), (15.0, "brindle")]
"""Who joins after the start, as in `DemoServerState.arrivals`: the first scan has ended by then."""
_MIN_PLAYERS, _MIN_GROUP_PLAYERS = 5, 3
_MAX_LATENCY_MS = 100.0
"""Servers with a lower latency and `_MIN_PLAYERS` are ranked high."""
_BOT_COUNT = 3
_GAMES_WITH_GROUPS = ("xonotic", "nexuiz", "warfork", "quakeworld", "zandronum")
_FAR_COUNTRY, _NEAR_LATENCY_MS = "JP", 40.0


class DemoState(enum.Enum):
    """A state of one server."""

    BOTS = "bots"
    """Has players, bots and a spectator."""
    FRIENDS = "friends"
    """Friends of the user are playing."""
    ALERT = "alert"
    """A friend and another player join soon after the start."""
    EMPTY_LIST = "empty list"
    """A2S: reports players and lists none."""
    HIDDEN_PREFIX = "hidden prefix"
    """Its name starts with invisible characters, which sort it first."""
    TOO_NEAR = "too near"
    """Answers faster than light could travel to its country."""
    ESTIMATED_PING = "estimated ping"
    """Answers the second request only, and no reply repeats a token."""
    CLOSING = "closing"
    """Stops answering soon after its first reply."""
    DESCRIBED = "described"
    """Never answers; a list describes it."""
    SAVED = "saved"
    """Answered yesterday, and never since."""
    BLOCKED = "blocked"
    """The user has blocked it."""


def assign_states(specs: Sequence["ServerSpec"]) -> None:
    """Put one server in each state: the busiest that can be in it and has no fault."""
    if len(specs) < MIN_SERVERS_WITH_STATES:
        return
    for state, rule in _RULES.items():
        free = (spec for spec in specs if spec.state is None and spec.fault is None and spec.is_alive)
        spec = max(filter(rule.fits, free), key=_used_share, default=None)
        if spec is not None:
            spec.state = state
            rule.apply(spec)


class _StateRule(NamedTuple):
    """Which servers can be in a state, and what is changed about one."""

    fits: Callable[["ServerSpec"], bool]
    apply: Callable[["ServerSpec"], object] = lambda _spec: None


def _used_share(spec: "ServerSpec") -> float:
    return spec.server.human_count / spec.server.max_players


def _is_near(spec: "ServerSpec") -> bool:
    return spec.latency_ms < _MAX_LATENCY_MS


def _is_popular(spec: "ServerSpec", min_players: int = _MIN_PLAYERS) -> bool:
    """Return whether a server is ranked high, with room for bots and friends."""
    state = spec.server
    free_slots = state.max_players - state.reserved - len(state.players)
    is_ranked = state.game.protocol != LISTED and not state.has_password
    return is_ranked and state.human_count >= min_players and free_slots > _BOT_COUNT and _is_near(spec)


def _lists_players(spec: "ServerSpec") -> bool:
    return _is_popular(spec) and spec.server.game.protocol in (A2S, QUAKE3, DARKPLACES)


def _can_have_groups(spec: "ServerSpec") -> bool:
    """Return whether a server distinguishes teams, bots and spectators."""
    is_popular = _is_popular(spec, _MIN_GROUP_PLAYERS)
    return is_popular and spec.server.game.id in _GAMES_WITH_GROUPS and bool(spec.server.current_mode.teams)


def _add_bots(spec: "ServerSpec") -> None:
    state = spec.server
    if not any(player.is_spectator for player in state.players):
        state.players[-1].is_spectator, state.players[-1].team = True, 0
    for place, player in enumerate(player for player in state.players if not player.is_spectator):
        player.team = 1 + place % 2
    state.bot_count_target = state.human_count + _BOT_COUNT
    adjust_bots(state, 0.0, random.Random(state.number))  # noqa: S311 (simulation, not cryptography)


def _rename_friends(spec: "ServerSpec") -> None:
    for player, name in zip(spec.server.players, _PRESENT_FRIENDS, strict=False):
        player.unique_name = player.name = name


def _hide_prefix(spec: "ServerSpec") -> None:
    spec.server.name = "\x01\x01" + spec.server.name


def _move_far(spec: "ServerSpec") -> None:
    spec.country = _FAR_COUNTRY


def _silence(spec: "ServerSpec") -> None:
    spec.is_alive = False


_RULES: Final[Mapping[DemoState, _StateRule]] = {
    DemoState.BOTS: _StateRule(_can_have_groups, _add_bots),
    DemoState.FRIENDS: _StateRule(_lists_players, _rename_friends),
    DemoState.ALERT: _StateRule(_lists_players, lambda spec: spec.server.arrivals.extend(_ARRIVALS)),
    DemoState.TOO_NEAR: _StateRule(lambda spec: _is_popular(spec) and spec.latency_ms < _NEAR_LATENCY_MS, _move_far),
    DemoState.HIDDEN_PREFIX: _StateRule(_lists_players, _hide_prefix),
    DemoState.CLOSING: _StateRule(_is_popular),
    DemoState.SAVED: _StateRule(_lists_players, _silence),
    DemoState.EMPTY_LIST: _StateRule(lambda spec: spec.server.game.protocol == A2S and _is_near(spec)),
    DemoState.ESTIMATED_PING: _StateRule(
        lambda spec: spec.server.game.protocol in (ASE, LUANTI) and not spec.server.has_password
    ),
    DemoState.DESCRIBED: _StateRule(lambda spec: spec.server.game.protocol == TEEWORLDS06, _silence),
    DemoState.BLOCKED: _StateRule(lambda spec: spec.server.human_count == 0),
}
