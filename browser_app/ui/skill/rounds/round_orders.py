"""The orders of the rounds' table: a stable argsort a column, unknown last both ways."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from browser_app.player.own_history import OwnHistory
from browser_app.rating.record import Floats, Ints
from browser_app.ui.permuted_model import Ids
from browser_app.ui.skill.rounds.round_row import changes

NEWEST = "when"


def _named(names: Sequence[str], places: Ints) -> Floats:
    """Ranks of names by the alphabet, NaN where there is none."""
    folded = [name.casefold() for name in names]
    rank = {name: float(place) for place, name in enumerate(sorted(set(folded)))}
    ranks = np.array([rank[name] if name else np.nan for name in folded] + [np.nan])
    named: Floats = ranks[places]  # -1, for none, is the last
    return named


ORDERS: Mapping[str, Callable[[OwnHistory], Floats]] = {
    NEWEST: lambda h: -h.started,
    "map": lambda h: _named(h.maps, h.map),
    "mode": lambda h: _named(h.modes, h.mode),
    "team": lambda h: _named(h.teams, h.team),
    "size": lambda h: -(h.size_mine + h.size_other).astype(np.float64),
    "there": lambda h: -h.share,
    "chance": lambda h: -h.probability,
    "result": lambda h: -h.outcome,
    "change": lambda h: -changes(h),
    "after": lambda h: -h.after,
    "server": lambda h: _named(h.servers, h.server),
}
"""Key → what is smallest in the row that comes first."""


def order(history: OwnHistory, key: str, rounds: Ids) -> Ids:
    """These rounds in the order of a column, with `-` before its key turned round; of equals the newest first."""
    keys = ORDERS[key.removeprefix("-")](history)[rounds]
    if key.startswith("-"):
        keys = -keys
    newest = -history.started[rounds]
    ordered: Ids = rounds[np.lexsort((newest, keys))]  # NaN is greater than all
    return ordered
