"""Which column of a table is which of our keys, by what people call them."""

import re
from collections.abc import Mapping, Sequence

from browser_app.rounds.table import KEYS

_CALLED: Mapping[str, str] = {
    "id": "round id, match id, game id, round, match, round no, match no, game no, round number, match number",
    "player": "player id, steam id, steam id 64, hashkey, guid, user id, who, player name, name, nick, nickname",
    "team": "side, team name, faction",
    "game": "game name",
    "map": "map name, level, arena",
    "mode": "game mode, game type, match type",
    "started": "start, start time, started at, date, date time, time, timestamp, when, played at",
    "duration": "seconds, secs, length, round length, match length, duration s",
    "winner": "winning team, won by, winner team, result, outcome",
    "name": "player name, nick, nickname, user name",
    "kills": "frags",
    "deaths": "died",
    "score": "points",
    "squad": "party, clan, group",
    "ping": "latency, ping ms",
    "quit": "left early, quitter, abandoned",
    "enter": "joined, join time, entered, from",
    "leave": "left, leave time, until, to",
    "rank": "place, placement, position, team rank",
}
"""The best names first, after the key itself. A needed key is given a column before the others are."""


def guessed(columns: Sequence[str]) -> dict[str, str]:
    """The likeliest column of each key that seems to have one.

    Kept true: no column stands for two keys, but for one that says when a round started: where nothing tells rounds
    apart, that does.
    """
    left = {_plain(column): column for column in reversed(columns)}
    found = {}
    for key in KEYS:
        names = map(_plain, (key, *_CALLED[key].split(",")))
        name = next((each for each in names if each in left), None)
        if name is not None:
            found[key] = left.pop(name)
    if "id" not in found and "started" in found:
        found["id"] = found["started"]
    return found


def _plain(name: str) -> str:
    """Without case, spaces and signs."""
    return re.sub(r"[\W_]+", "", name.casefold())
