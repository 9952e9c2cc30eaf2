"""One player's way through a record under one rating system: what was said before each of his rounds, and after."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from browser_app.player.now import SdFrom
from browser_app.player.own_rounds import OwnRounds, own_rounds
from browser_app.player.packed import packed, unpacked
from browser_app.player.said import Said, chance_of, forward
from browser_app.player.scale import weigh
from browser_app.player.waypoints import Waypoints
from browser_app.rating.progress import Progress, untold
from browser_app.rating.record import Floats, Ints, Record
from browser_app.rating.system import RatingRun, RatingSystem

VERSION = 4
"""Of the form of what is kept in the cache: another one is not read."""


@dataclass(frozen=True)
class OwnHistory:
    """The rounds in which a player was on a team, by start: one entry each in every column.

    Ratings are in displayed units: NS2 points, else the system's own. Times are in seconds since 1970 (UTC). A change
    is ``after − before``: between two rounds time may move a rating as well, and each mode may have one of its own.

    Attributes:
        game: its id. system: its name. player: his id in the record.
        ids: the rounds' ids. round: their indices in the record.
        duration: seconds, NaN where unknown.
        map, mode, team, server: indices into ``maps``, ``modes``, ``teams``, ``servers``; −1 for none. The team is the
            one he was longest on.
        size_mine, size_other: people on his team and on all others, each counted where he was longest.
        share: of the round's time, weighted as the system does, on any team, 0 to 1; NaN without a duration.
        chair: of the same, in the commander's chair.
        probability: of his team, said before the round with everybody's presence as it turned out: P(win | no draw) of
            two teams, P(first place alone) of more; NaN where the round was not rated.
        outcome: 1 won, 0 not, ½ drawn (first place shared), NaN without an outcome.
        before, after: the rating in the round's mode; NaN of rounds before the first that was rated there.
        sd: that of ``after``, NaN where it is unknown.
        sd_from: whence all of them are: of ns2 they are estimates, until `full_doubt` has better ones.
        approximate: whether the record does not tell who was there when.
        why: the reason why the round was not rated, "" where it was.
    """

    game: str
    system: str
    player: str
    maps: tuple[str, ...]
    modes: tuple[str, ...]
    teams: tuple[str, ...]
    servers: tuple[str, ...]

    ids: tuple[str, ...]
    why: tuple[str, ...]
    round: Ints
    started: Floats
    duration: Floats
    map: Ints
    mode: Ints
    team: Ints
    server: Ints
    size_mine: Ints
    size_other: Ints
    share: Floats
    chair: Floats
    probability: Floats
    outcome: Floats
    before: Floats
    after: Floats
    sd: Floats
    approximate: NDArray[np.bool_]
    sd_from: SdFrom = ""

    def __len__(self) -> int:
        """How many rounds."""
        return len(self.ids)

    def to_bytes(self) -> bytes:
        """As they are kept."""
        return packed(self, VERSION)

    @classmethod
    def from_bytes(cls, content: bytes) -> Self:
        """What ``to_bytes`` made.

        Raises:
            ValueError: it is of another version, or damaged.
        """
        return unpacked(cls, content, VERSION)


def own_history(
    record: Record,
    system: RatingSystem,
    player: str,
    *,
    game: str = "",
    servers: Sequence[str | None] | None = None,
    approximate: NDArray[np.bool_] | None = None,
    run: RatingRun | None = None,
    progress: Progress = untold,
    waypoints: Waypoints | None = None,
) -> OwnHistory:
    """Take a system forward over a record, asking what it says of one player's rounds only.

    Args:
        record: all rounds of one game.
        system: with its parameters.
        player: his id; who is not in the record has no rounds.
        game: the game's id.
        servers: where each round of the record was played; None: unknown of all.
        approximate: of which rounds it is not known who was there when; None: it is known of all.
        run: a fresh run of the system over the record, which is left at its end; None makes one.
        progress: told rounds done, of all.
        waypoints: of the system and the record, to be passed on the way.
    """
    run = system.start(record) if run is None else run
    index = record.player_ids.index(player) if player in record.player_ids else -1
    own = own_rounds(record, index, weigh(system))
    told = _told(forward(run, index, own, progress, waypoints), own, run.unit)
    return OwnHistory(
        game=game,
        system=system.name,
        player=player,
        **_where(record, own.round, servers),
        **_how(record, own, approximate),
        **told,
    )


def _where(record: Record, rounds: Ints, servers: Sequence[str | None] | None) -> dict[str, Any]:
    """Which rounds they are, and what they were played on."""
    places, server = _numbered([] if servers is None else [servers[k] for k in rounds.tolist()], len(rounds))
    return {
        "maps": record.maps,
        "modes": record.modes,
        "servers": places,
        "ids": tuple([record.ids[k] for k in rounds.tolist()]),
        "round": rounds,
        "started": record.started[rounds],
        "duration": record.duration[rounds],
        "map": record.map[rounds],
        "mode": record.mode[rounds],
        "server": server,
    }


def _how(record: Record, own: OwnRounds, approximate: NDArray[np.bool_] | None) -> dict[str, Any]:
    """The player's part in them."""
    return {
        "teams": record.team_names,
        "team": record.team_name[record.team_start[own.round] + own.team],
        "size_mine": own.size_mine,
        "size_other": own.size_other,
        "share": own.share,
        "chair": own.chair,
        "outcome": own.outcome,
        "approximate": np.zeros(len(own.round), np.bool_) if approximate is None else approximate[own.round],
    }


def _told(said: Sequence[Said], own: OwnRounds, unit: float) -> dict[str, Any]:
    """What the system says of them, as displayed."""
    chances = [
        np.nan if each.prediction is None else chance_of(each.prediction, team)
        for each, team in zip(said, own.team.tolist(), strict=True)
    ]
    before, after, sd, estimated_sd = (
        np.array([np.nan if each[i] is None else each[i] for each in said], np.float64) for i in range(1, 5)
    )
    estimated = bool(np.isnan(sd).all() and not np.isnan(estimated_sd).all())
    return {
        "why": tuple([each.why for each in said]),
        "probability": np.array(chances, np.float64),
        "before": unit * before,
        "after": unit * after,
        "sd": unit * (estimated_sd if estimated else sd),
        "sd_from": "gradients" if estimated else "",
    }


def _numbered(names: Sequence[str | None], length: int) -> tuple[tuple[str, ...], Ints]:
    """The distinct names, and for each of `length` places which it has; −1 for none."""
    known = {name: i for i, name in enumerate(dict.fromkeys(name for name in names if name is not None))}
    if not names:
        return (), np.full(length, -1, np.int32)
    return tuple(known), np.array([-1 if name is None else known[name] for name in names], np.int32)
