"""The own record of each game, with the user's ids merged into one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from browser_app.player.player_identities import IdentityKind, choose_identity, match_player_ids, parse_identities
from browser_app.rating.record.round_record import RoundRecord

if TYPE_CHECKING:
    from browser_app.storage.user_storage import UserStorage


class OwnRecord(NamedTuple):
    """The own record of a game."""

    game: str
    """Id; "" for rounds of an unknown game."""
    record: RoundRecord
    player: int | None
    """Index of the user, or of the player asked for; None if they are in no round."""
    own_rounds: int
    """Number of rounds with that player."""


class NoOwnRecordError(LookupError):
    """There are no rounds; the text says why."""


def load_own_records(storage: "UserStorage", game: str | None, player: str | None = None) -> list[OwnRecord]:
    """Return the record of a game, or those of all games.

    The one with most rounds of the player is first. Slow.

    Args:
        storage: where the rounds and the user's identities are.
        game: id; None for all games.
        player: id in the rounds, or a Steam account in any form; None for the user.

    Raises:
        NoOwnRecordError: there are no rounds.
    """
    found = [_load_record(storage, each, player) for each in games_of_record(storage, game)]
    return sorted(found, key=lambda each: (-each.own_rounds, -len(each.record)))


def games_of_record(storage: "UserStorage", game: str | None) -> Sequence[str]:
    """Return the ids of the games in the record; with `game`, that one alone.

    Raises:
        NoOwnRecordError: there are no rounds.
    """
    games = tuple(storage.round_store.count_rounds())
    if not games:
        raise NoOwnRecordError("your record is empty; import rounds with 'ready-room import FILE…'")
    if game is None:
        return games
    if game not in games:
        raise NoOwnRecordError(f"your record has no round of {game!r}, only of {', '.join(map(repr, games))}")
    return (game,)


def _load_record(storage: "UserStorage", game: str, player: str | None) -> OwnRecord:
    rounds = storage.round_store.load_rounds(game)
    mine = _player_ids(storage, game, rounds.record, player)
    record = rounds.with_merged_ids(mine).record
    if not mine:
        return OwnRecord(game, record, None, 0)
    index = record.player_ids.index(mine[0])
    return OwnRecord(game, record, index, int(np.count_nonzero(record.player == index)))


def _player_ids(storage: "UserStorage", game: str, record: RoundRecord, player: str | None) -> Sequence[str]:
    if player in record.player_ids:
        return (player,)
    if player is None:
        identities = parse_identities(storage.identities.find_identities(game))
    else:
        identity = choose_identity(game, player, None)
        identities = (identity,) if identity.kind is IdentityKind.STEAM else ()
    return match_player_ids(identities, record.player_ids, record.player_names)
