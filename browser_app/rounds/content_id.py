"""What makes two rounds the same one: an id made from what happened in it (told differently: see `same_round`)."""

import hashlib
from collections.abc import Sequence
from operator import attrgetter, itemgetter
from typing import Any

import msgspec

from browser_app.rating.match import Match, Player, Stay

SIZE = 16
"""Bytes of an id."""


def content_id(match: Match, *, undated: bool = False, repeated: int = 0) -> bytes:
    """Sixteen bytes that are the same whenever the same round is told, wherever and however that is.

    What a rating could tell apart counts: game, map, mode, start, duration, the teams with race and rank, and of each
    player the spells on a team and in the chair, kills, deaths, score, ping, who came with whom, who quit, who wants a
    rating. What does not count: the round's own id and what people are called, which differ from teller to teller; the
    order of players and teams; spells of no length, and what lies behind the end; wishes; keys that are not known.

    Args:
        match: a round as the round file's reader makes it.
        undated: its start is only a guess (see `rounds.source.UNDATED`): its own id then stands in for it.
        repeated: how many rounds of one file were the same in all this before it: what a file tells under several ids
            are several rounds, such as a series kept by hand with the date alone.
    """
    end = float("inf") if match.duration is None else match.duration
    races = match.races or (None,) * len(match.teams)
    ranks = match.ranks or (None,) * len(match.teams)
    squads: dict[object, int] = {}
    content = [
        match.game,
        match.map,
        match.mode,
        match.id if undated or match.started is None else match.started,
        match.duration,
        sorted(zip(match.teams, races, ranks, strict=True), key=itemgetter(0)),
        [_player(player, end, squads) for player in sorted(match.players, key=attrgetter("id"))],
    ]
    if repeated:
        content.append(repeated)
    return hashlib.blake2b(msgspec.json.encode(content), digest_size=SIZE).digest()


def _player(player: Player, end: float, squads: dict[object, int]) -> list[Any]:
    squad = None if player.squad in (None, "") else squads.setdefault(player.squad, len(squads))
    counts = (player.kills, player.deaths, player.score, player.ping)
    return [
        player.id,
        _spells(player.stays, end),
        _spells(player.commanding, end),
        [None if count is None else count + 0.0 for count in counts],  # there is no -0
        squad,
        player.quit,
        player.ranked,
    ]


def _spells(spells: Sequence[Stay], end: float) -> list[tuple[float, float, str]]:
    if not spells:
        return []
    return sorted([(s.enter + 0.0, min(s.leave, end), s.team) for s in spells if s.enter < min(s.leave, end)])
