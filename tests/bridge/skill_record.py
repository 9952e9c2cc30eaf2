"""A database with rounds of two games, and a panel over it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pytestqt.qtbot import QtBot
from round_serializer import object_from_round

from browser_app.application.skill_state import WorkProgress
from browser_app.bridge.skill.round_importer import RoundImporter
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.player.player_identities import Identity, IdentityKind
from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rounds.round_formats import ROUND_FILE_FORMAT
from browser_app.storage.database import Database, open_database
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.ui_state import UiState

GAMES = load_games(resource_folder() / "games")
ME = "me"


def match(number: int, game: str = "ns2", me: str = ME, won: bool = True) -> Round:
    """Two against two; marines before aliens."""
    people = {"marines": (me, f"mate{number % 3}"), "aliens": (f"rival{number % 4}", f"other{number % 5}")}
    players = [
        Player(name, [Stint(team, 0.0, 900.0)], name=f"The {name}", score=float(10 + number % 7))
        for team, names in people.items()
        for name in names
    ]
    ranks = (1, 2) if won else (2, 1)
    started = 1_700_000_000.0 + 3600.0 * number
    return Round(f"{game} {number}", tuple(people), players, started, 900.0, ranks, game, f"map{number % 3}", "ns2")


def fill(store: RoundStore, rounds: int, game: str = "ns2", first: int = 0, me: str = ME) -> None:
    """So many rounds more, of which two in three are won."""
    matches = [match(first + i, game, me, won=(first + i) % 3 > 0) for i in range(rounds)]
    store.add_file(
        f"/{game}-{first}.jsonl", ROUND_FILE_FORMAT, [(i, object_from_round(each)) for i, each in enumerate(matches, 1)]
    )


def name_of(game: str, name: str = "The me") -> Identity:
    """The user by a name."""
    return Identity(game, IdentityKind.NAME, name)


@dataclass
class Rig:
    """A panel over a record, and what it told."""

    bot: QtBot
    database: Database
    store: RoundStore
    panel: SkillModel
    identities: list[Identity]
    typed: dict[str, float]
    own: dict[str, float]
    works: list[WorkProgress | None] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def settled(self) -> None:
        """Wait until what is shown is of the present rounds, identities and parameters."""
        self.bot.waitUntil(lambda: self.panel.state is not None and not self.panel.state.is_stale)


@contextmanager
def a_panel(
    bot: QtBot, folder: Path, identities: Sequence[Identity] = (), database: Database | None = None
) -> Iterator[Rig]:
    """Over the database in a folder, which the next panel finds again."""
    database = database or open_database(folder)
    store = RoundStore(database)
    imports = RoundImporter(store)
    known, typed, own = list(identities) or [name_of("ns2")], dict[str, float](), dict[str, float]()
    panel = SkillModel(database, UiState(database), GAMES, imports, lambda: known, lambda: typed, own.get)
    rig = Rig(bot, database, store, panel, known, typed, own)
    panel.progress_changed.connect(rig.works.append)
    panel.error_message.connect(rig.failures.append)
    try:
        yield rig
    finally:
        panel.close()
        imports.close()
        database.close()
        panel.deleteLater()
        imports.deleteLater()
