"""`history`: the player's ratings over time, from his own record."""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from browser_app.commands.arguments import add_format
from browser_app.commands.context import Context
from browser_app.commands.errors import BadInput, Exit
from browser_app.commands.history_table import print_history
from browser_app.commands.output import print_json, say
from browser_app.commands.progress import counting, waiting
from browser_app.commands.rating_arguments import add_system, chosen_system
from browser_app.games.profile import ANY_GAMES_SYSTEM
from browser_app.player.identities import IdentityKind, identities_of, identity_of, player_ids
from browser_app.player.own_rounds import OwnRounds, own_rounds
from browser_app.player.said import Said, chance_of, forward
from browser_app.player.scale import weigh
from browser_app.rating.rate import outcome
from browser_app.rating.record import Record
from browser_app.rounds.times import iso_8601
from browser_app.storage.session import Session

HELP = "your ratings over time, from your own record"

_NOBODY = "nobody says who you are: name yourself by --player ID, or in the window under My skill, Who I am"


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:  # noqa: ARG001 (as every command)
    """Whose ratings, of which game, by which system."""
    parser.add_argument(
        "--player", metavar="ID", help="as the rounds name the player, or a Steam account in any form (you)"
    )
    parser.add_argument("--game", metavar="ID", help="of several games in the record (the one played most)")
    add_system(parser, of_game=True)
    add_format(parser, ("table", "json"))


class _Found(NamedTuple):
    """A player in the record of a game: his index, and in how many rounds he is."""

    game: str
    record: Record
    player: int
    rounds: int


def run(args: argparse.Namespace, context: Context) -> int:
    """Print a player's way through the record; 1 where he is in no round."""
    with context.open_session(demo=False) as session:
        if session.database.notice:
            say(f"ready-room: {session.database.notice}")
        with waiting("Reading rounds"):
            found = _find(args, session)
    told = {"player": args.player, "game": args.game, "system": args.system, "now": {}, "points": [], "skipped": []}
    if found is not None:
        told |= _history(found, args, context)
        if not told["points"]:
            reasons = dict.fromkeys(each["why"] for each in told["skipped"])
            say(f"ready-room: no round was rated: {', '.join(reasons) or 'never on a team'}")
    if args.format == "json":
        print_json(told)
    elif found is not None:
        print_history(told)
    return Exit.DONE if told["points"] else Exit.NOTHING_FOUND


def _find(args: argparse.Namespace, session: Session) -> _Found | None:
    """The player in the game that is asked for, else in that which has most rounds with him."""
    games = session.rounds.games()
    wanted = list(games) if args.game is None else [game for game in games if game == args.game]
    if not wanted:
        other = f"your record has no round of {args.game!r}, but of {', '.join(map(repr, games))}"
        empty = "your record is empty: 'ready-room import FILE…' takes rounds in"
        say(f"ready-room: {other if games else empty}")
        return None
    if args.player is None and not len(session.identities):
        raise BadInput(_NOBODY)
    found = sorted(
        (each for game in wanted if (each := _in_game(args.player, game, session))),
        key=lambda each: each.rounds,
        reverse=True,
    )
    if not found:
        who = "you are" if args.player is None else f"{args.player!r} is"
        say(f"ready-room: {who} in no round of your record")
        return None
    if len(found) > 1:
        others = ", ".join(repr(each.game) for each in found[1:])
        say(f"ready-room: this is {found[0].game!r}; --game shows another one: {others}")
    return found[0]


def _in_game(player: str | None, game: str, session: Session) -> _Found | None:
    rounds = session.rounds.record(game)
    record = rounds.record
    if player is None:
        mine = player_ids(identities_of(session.identities.of(game)), record.player_ids, record.player_names)
    else:
        mine = (player,) if player in record.player_ids else _of_account(player, game, record)
    if not mine:
        return None
    record = rounds.united(mine).record
    index = record.player_ids.index(mine[0])
    return _Found(game, record, index, int(np.count_nonzero(record.player == index)))


def _of_account(player: str, game: str, record: Record) -> tuple[str, ...]:
    """The players that are this Steam account, however the rounds write it; nobody where it is none."""
    identity = identity_of(game, player, None)
    known = [identity] if identity.kind is IdentityKind.STEAM else []
    return player_ids(known, record.player_ids, record.player_names)


def _history(found: _Found, args: argparse.Namespace, context: Context) -> dict[str, Any]:
    """What is printed, all numbers as `rate` has them on the same rounds."""
    record, profile = found.record, context.games.get(found.game)
    args.system = args.system or (profile.rating_system if profile else ANY_GAMES_SYSTEM)
    system = chosen_system(args)
    rating = system.start(record)
    own = own_rounds(record, found.player, weigh(system))
    with counting("Rating rounds") as progress:
        said = forward(rating, found.player, own, progress)
    name = record.player_ids[found.player]
    return {
        "player": name,
        "game": found.game or None,
        "system": system.name,
        "now": rating.players().get(name, {}),
        "points": list(_points(record, own, said)),
        "skipped": [
            {"id": record.ids[k], "why": each.why} for k, each in zip(own.round.tolist(), said, strict=True) if each.why
        ],
    }


def _points(record: Record, own: OwnRounds, said: Sequence[Said]) -> Iterator[dict[str, Any]]:
    """The rated rounds. `probability` and `outcome` are the first-named team's, the `own_` ones the player's team's."""
    for k, team, result, each in zip(own.round.tolist(), own.team.tolist(), own.outcome.tolist(), said, strict=True):
        if each.prediction is not None:
            yield {
                "id": record.ids[k],
                "started": iso_8601(float(record.started[k])),
                "map": record.maps[record.map[k]] if record.map[k] >= 0 else None,
                "mode": record.modes[record.mode[k]] or None,
                "probability": each.prediction.probability,
                "outcome": outcome(record, k),
                "before": each.before,
                "after": each.after,
                "sd": each.sd,
                "team": record.teams(k)[team],
                "own_probability": chance_of(each.prediction, team),
                "own_outcome": result,
            }
