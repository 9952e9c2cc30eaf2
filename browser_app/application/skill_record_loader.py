"""Loading of stored ratings and of skill samples from services."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.application.skill_web_services import SKILL_SERVICES, SkillService, source_state
from browser_app.player.own_history import OwnHistory
from browser_app.player.player_identities import Identity
from browser_app.player.skill_sources import SkillSampleSeries
from browser_app.rating_worker.ratings_storage_format import StoredRatings, ratings_fingerprint, ratings_key
from browser_app.rating_worker.rounds_cache import delete_stale_caches
from browser_app.rating_worker.worker_job import RecordSource, SystemConfig
from browser_app.storage.database import Database
from browser_app.storage.own_skill.ratings_cache import RatingsCache
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.own_skill.skill_sample_store import SkillSample, SkillSampleStore


def service_histories(
    samples: SkillSampleStore, game: str, identities: Sequence[Identity]
) -> tuple[SkillSampleSeries, ...]:
    """A course for each number that a service keeps of one of these identities in a game; takes its time.

    Raises:
        StorageError: the file cannot be read.
    """
    found: list[SkillSampleSeries] = []
    for source in SKILL_SERVICES:
        if source.game == game:
            mine = [each.value for each in identities if each.game == game and each.kind == source.identity]
            kept = samples.samples_of(source.kind, game)
            for identity in mine:
                found += _histories_by_mode(source, identity, [each for each in kept if each.identity == identity])
    return tuple(found)


def _histories_by_mode(source: SkillService, identity: str, kept: Iterable[SkillSample]) -> Iterator[SkillSampleSeries]:
    """By mode; what was kept otherwise than it is now is left out, and a value that stays the same is one."""
    rows: dict[str, list[tuple[float, float, float, float]]] = {}
    for sample in kept:
        for mode, (points, sd) in _points_by_mode(source, sample).items():
            known = rows.setdefault(mode, [])
            if known and known[-1][2] == points:
                known[-1] = known[-1][0], max(known[-1][1], sample.until), points, sd
            else:
                known.append((sample.since, sample.until, points, sd))
    for mode, values in sorted(rows.items()):
        since, until, points, doubts = np.array(values, np.float64).T
        yield SkillSampleSeries(source.kind, identity, mode, since, until, points, doubts)


def _points_by_mode(source: SkillService, sample: SkillSample) -> dict[str, tuple[float, float]]:
    state = source_state(source, (sample.until, sample.values), enabled=True, problem="")
    if state.modes:
        return dict(state.modes)
    return {} if state.points is None else {"": (state.points, np.nan)}


@dataclass(frozen=True)
class LoadedRecord:
    """A look at the record.

    Attributes:
        counts: rounds by game. game: the chosen one, "" where there is none.
        source, model, state: what its ratings are to be made from.
        kept, history: what is kept of the last time, None where nothing is.
        sources: where the rounds of every game are.
    """

    counts: Mapping[str, int]
    game: str
    source: RecordSource
    config: SystemConfig
    fingerprint: str
    stored: StoredRatings | None
    history: OwnHistory | None
    sources: tuple[RecordSource, ...]


def load_record(
    database: Database,
    choose_game: Callable[[Mapping[str, int]], str],
    config_of: Callable[[str], SystemConfig],
    identities: Sequence[Identity],
) -> LoadedRecord:
    """Read it. `choose_game` picks a game from the counts; identities are those of all games.

    Raises:
        StorageError: the file cannot be read.
    """
    store = RoundStore(database)
    counts = store.round_counts()
    game = choose_game(counts)
    if database.path is not None:
        delete_stale_caches(database.path, counts)
    place = database.path or database.read(lambda connection: connection.serialize())

    def source_of(of: str) -> RecordSource:
        return RecordSource(place, of, store.state_stamp(of), tuple(each for each in identities if each.game == of))

    source, model = source_of(game), config_of(game)
    sources = tuple(map(source_of, counts))
    content = RatingsCache(database).get(ratings_key(game, model.system))
    kept = history = None
    if content is not None:
        try:
            kept = StoredRatings.from_bytes(content)
            history = OwnHistory.from_bytes(kept.history)
        except ValueError:  # of another version of the program: it is made anew
            kept = None
    return LoadedRecord(counts, game, source, model, ratings_fingerprint(source, model), kept, history, sources)
