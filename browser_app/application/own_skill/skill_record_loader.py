"""Loading of stored ratings and of skill samples from services."""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.application.own_skill.skill_web_services import SKILL_SERVICES, SkillService, source_state
from browser_app.player.own_history import OwnHistory
from browser_app.player.player_identities import Identity
from browser_app.player.skill_sources import SkillSampleSeries
from browser_app.rating_worker.ratings_storage_format import StoredRatings, ratings_fingerprint, ratings_key
from browser_app.rating_worker.rounds_cache import delete_stale_caches
from browser_app.rating_worker.worker_job import RecordLocation, SystemConfig
from browser_app.storage.database import Database
from browser_app.storage.own_skill.ratings_cache import RatingsCache
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.own_skill.skill_sample_store import SkillSample, SkillSampleStore

_log = logging.getLogger(__name__)


def service_histories(
    samples: SkillSampleStore, game: str, identities: Sequence[Identity]
) -> tuple[SkillSampleSeries, ...]:
    """Return the skills that services reported of these identities in a game.

    There is a series for each skill. Slow.

    Raises:
        StorageError: the database cannot be read.
    """
    found: list[SkillSampleSeries] = []
    for service in SKILL_SERVICES:
        if service.game == game:
            mine = [each.value for each in identities if each.game == game and each.kind == service.identity]
            stored = samples.load_samples(service.kind, game)
            for identity in mine:
                found += _histories_by_mode(service, identity, [each for each in stored if each.identity == identity])
    return tuple(found)


def _histories_by_mode(
    service: SkillService, identity: str, samples: Iterable[SkillSample]
) -> Iterator[SkillSampleSeries]:
    """Yield a series for each mode.

    Equal values in a row are merged, unreadable samples are left out.
    """
    rows: dict[str, list[tuple[float, float, float, float]]] = {}
    for sample in samples:
        for mode, (points, sd) in _points_by_mode(service, sample).items():
            known = rows.setdefault(mode, [])
            if known and known[-1][2] == points:
                known[-1] = known[-1][0], max(known[-1][1], sample.until), points, sd
            else:
                known.append((sample.since, sample.until, points, sd))
    for mode, values in sorted(rows.items()):
        since, until, points, sds = np.array(values, np.float64).T
        yield SkillSampleSeries(service.kind, identity, mode, since, until, points, sds)


def _points_by_mode(service: SkillService, sample: SkillSample) -> dict[str, tuple[float, float]]:
    state = source_state(service, (sample.until, sample.values), enabled=True, problem="")
    if state.modes:
        return dict(state.modes)
    return {} if state.points is None else {"": (state.points, np.nan)}


@dataclass(frozen=True)
class LoadedRecord:
    """The own record's stored state.

    Attributes:
        counts: rounds by game.
        game: the chosen game, "" if there is none.
        location: where the game's rounds are.
        config: the game's rating system.
        fingerprint: of rounds and configuration; other ratings than these are stale.
        stored: ratings of the last run, None if there are none.
        history: the user's history in them.
        locations: where the rounds of every game are.
    """

    counts: Mapping[str, int]
    game: str
    location: RecordLocation
    config: SystemConfig
    fingerprint: str
    stored: StoredRatings | None
    history: OwnHistory | None
    locations: tuple[RecordLocation, ...]


def record_location(database: Database, game: str, identities: Sequence[Identity]) -> RecordLocation:
    """Return where the rounds of a game are; `identities` are those of all games.

    Raises:
        StorageError: the database cannot be read.
    """
    file = database.path or database.read(_serialize)
    own = tuple(each for each in identities if each.game == game)
    return RecordLocation(file, game, RoundStore(database).read_state_stamp(game), own)


def _serialize(connection: sqlite3.Connection) -> bytes:
    """Return a database in memory as bytes that can be opened.

    In a copy of a file in WAL mode, bytes 18 and 19 of the header are marked, and SQLite would look for the log's file.
    """
    content = connection.serialize()
    return content[:18] + b"\x01\x01" + content[20:]


def load_record(
    database: Database,
    choose_game: Callable[[Mapping[str, int]], str],
    config_of: Callable[[str], SystemConfig],
    identities: Sequence[Identity],
) -> LoadedRecord:
    """Load the record.

    `choose_game` picks a game from the counts, and the identities are those of all games.

    Raises:
        StorageError: the database cannot be read.
    """
    counts = RoundStore(database).count_rounds()
    game = choose_game(counts)
    if database.path is not None:
        delete_stale_caches(database.path, counts)
    location, config = record_location(database, game, identities), config_of(game)
    locations = tuple(record_location(database, each, identities) for each in counts)
    content = RatingsCache(database).get(ratings_key(game, config))
    stored = history = None
    if content is not None:
        try:
            stored = StoredRatings.from_bytes(content)
            history = OwnHistory.from_bytes(stored.history)
        except ValueError:
            _log.info("The stored ratings were written by another version and are computed again.")
            stored = None
    return LoadedRecord(
        counts, game, location, config, ratings_fingerprint(location, config), stored, history, locations
    )
