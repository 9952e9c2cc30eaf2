"""A database with rounds of two games, and a panel over it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pytestqt.qtbot import QtBot

from browser_app.bridge.skill.imports import Imports
from browser_app.bridge.skill.panel import SkillPanel
from browser_app.bridge.skill.shown import Work
from browser_app.games import load_games
from browser_app.paths import resources
from browser_app.player.identities import Identity, IdentityKind
from browser_app.rating.match import Match, Player, Stay
from browser_app.rounds.formats import ROUND_FILE
from browser_app.rounds.writing import object_of
from browser_app.storage.database import Database, open_database
from browser_app.storage.kept import Kept
from browser_app.storage.rounds import RoundStore

GAMES = load_games(resources() / "games")
ME = "me"


def match(number: int, game: str = "ns2", me: str = ME, won: bool = True) -> Match:
    """Two against two; marines before aliens."""
    people = {"marines": (me, f"mate{number % 3}"), "aliens": (f"rival{number % 4}", f"other{number % 5}")}
    players = [
        Player(name, [Stay(team, 0.0, 900.0)], name=f"The {name}", score=float(10 + number % 7))
        for team, names in people.items()
        for name in names
    ]
    ranks = (1, 2) if won else (2, 1)
    started = 1_700_000_000.0 + 3600.0 * number
    return Match(f"{game} {number}", tuple(people), players, started, 900.0, ranks, game, f"map{number % 3}", "ns2")


def fill(store: RoundStore, rounds: int, game: str = "ns2", first: int = 0, me: str = ME) -> None:
    """So many rounds more, of which two in three are won."""
    matches = [match(first + i, game, me, won=(first + i) % 3 > 0) for i in range(rounds)]
    store.add(f"/{game}-{first}.jsonl", ROUND_FILE, [(i, object_of(each)) for i, each in enumerate(matches, 1)])


def name_of(game: str, name: str = "The me") -> Identity:
    """The user by a name."""
    return Identity(game, IdentityKind.NAME, name)


@dataclass
class Rig:
    """A panel over a record, and what it told."""

    bot: QtBot
    database: Database
    store: RoundStore
    panel: SkillPanel
    identities: list[Identity]
    typed: dict[str, float]
    own: dict[str, float]
    works: list[Work | None] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def settled(self) -> None:
        """Wait until what is shown is of the present rounds, identities and parameters."""
        self.bot.waitUntil(lambda: self.panel.shown is not None and not self.panel.shown.stale)


@contextmanager
def a_panel(
    bot: QtBot, folder: Path, identities: Sequence[Identity] = (), database: Database | None = None
) -> Iterator[Rig]:
    """Over the database in a folder, which the next panel finds again."""
    database = database or open_database(folder)
    store = RoundStore(database)
    imports = Imports(store)
    known, typed, own = list(identities) or [name_of("ns2")], dict[str, float](), dict[str, float]()
    panel = SkillPanel(database, Kept(database), GAMES, imports, lambda: known, lambda: typed, own.get)
    rig = Rig(bot, database, store, panel, known, typed, own)
    panel.progressed.connect(rig.works.append)
    panel.failed.connect(rig.failures.append)
    try:
        yield rig
    finally:
        panel.close()
        imports.close()
        database.close()
        panel.deleteLater()
        imports.deleteLater()
