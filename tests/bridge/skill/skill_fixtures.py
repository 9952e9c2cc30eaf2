"""A database with rounds of two games, and a skill model that reads it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pytestqt.qtbot import QtBot
from round_serializer import object_from_round

from browser_app.application.own_skill.skill_state import WorkProgress
from browser_app.bridge.skill.round_importer import RoundImporter
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.player.player_identities import Identity, IdentityKind
from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating_worker.rating_jobs import RateJob
from browser_app.rounds.round_formats import ROUND_FILE_FORMAT
from browser_app.storage.database import Database, open_database
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.ui_state import UiState

GAMES = load_games(resource_folder() / "games")
ME = "me"


def make_round(number: int, game: str = "ns2", me: str = ME, won: bool = True) -> Round:
    """Return a round of two against two, marines before aliens."""
    teams = {"marines": (me, f"mate{number % 3}"), "aliens": (f"rival{number % 4}", f"other{number % 5}")}
    players = [
        Player(name, [Stint(team, 0.0, 900.0)], name=f"The {name}", score=float(10 + number % 7))
        for team, names in teams.items()
        for name in names
    ]
    ranks = (1, 2) if won else (2, 1)
    started = 1_700_000_000.0 + 3600.0 * number
    return Round(f"{game} {number}", tuple(teams), players, started, 900.0, ranks, game, f"map{number % 3}", "ns2")


def add_rounds(store: RoundStore, rounds: int, game: str = "ns2", first: int = 0, me: str = ME) -> None:
    """Add rounds, two of three of them won."""
    added = [make_round(first + i, game, me, won=(first + i) % 3 > 0) for i in range(rounds)]
    store.add_file(
        f"/{game}-{first}.jsonl", ROUND_FILE_FORMAT, [(i, object_from_round(each)) for i, each in enumerate(added, 1)]
    )


def name_identity(game: str, name: str = "The me") -> Identity:
    """Return the identity of a player name."""
    return Identity(game, IdentityKind.NAME, name)


def in_game_state(points: float, game: str = "ns2") -> SkillSourceState:
    """Return the state of a source that has read the game's own number."""
    return SkillSourceState(SkillSourceKind.STEAM, game, is_enabled=True, points=points, sd=40.0, read_at=7000.0)


@dataclass
class SkillModelFixture:
    """A skill model with its database, and the signals it has emitted."""

    bot: QtBot
    database: Database
    store: RoundStore
    model: SkillModel
    identities: list[Identity]
    entered: dict[str, float]
    in_game: dict[str, SkillSourceState]
    progress: list[WorkProgress | None] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def wait_until_rated(self) -> None:
        """Wait until the state is up to date with rounds, identities and parameters."""
        model = self.model
        self.bot.waitUntil(lambda: bool(model.state and model._loaded) and not model._workers.is_busy(RateJob.kind))


@contextmanager
def open_skill_model(
    bot: QtBot, folder: Path, identities: Sequence[Identity] = (), database: Database | None = None
) -> Iterator[SkillModelFixture]:
    """Open a model over the database of a folder, which the next model opens again."""
    database = database or open_database(folder)
    store = RoundStore(database)
    importer = RoundImporter(store)
    known, entered, in_game = (
        list(identities) or [name_identity("ns2")],
        dict[str, float](),
        dict[str, SkillSourceState](),
    )
    model = SkillModel(database, UiState(database), GAMES, importer, lambda: known, lambda: entered, in_game.get)
    env = SkillModelFixture(bot, database, store, model, known, entered, in_game)
    model.progress_changed.connect(env.progress.append)
    model.error_reported.connect(env.errors.append)
    try:
        yield env
    finally:
        model.close()
        importer.close()
        database.close()
        model.deleteLater()
        importer.deleteLater()
