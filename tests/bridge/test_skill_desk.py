"""What the calculating process need not do again: it finds what is kept, and what it did before."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from skill_record import fill, name_of

from browser_app.bridge.skill import question_jobs, rating_jobs
from browser_app.bridge.skill.desk import Desk
from browser_app.bridge.skill.kept_ratings import key_of, state_of
from browser_app.bridge.skill.subject import Model, Source
from browser_app.rating.parameters import parameter_set
from browser_app.rating.progress import untold
from browser_app.rating.systems import SYSTEMS
from browser_app.storage.database import Database, open_database
from browser_app.storage.ratings_cache import RatingsCache
from browser_app.storage.rounds import RoundStore

GAME, ROUNDS = "ns2", 30


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """One with some rounds."""
    with closing(open_database(tmp_path)) as opened:
        fill(RoundStore(opened), ROUNDS)
        yield opened


def source_of(database: Database) -> Source:
    assert database.path is not None
    return Source(database.path, GAME, RoundStore(database).stamp(GAME), (name_of(GAME),))


def model_of(**given: float) -> Model:
    return Model(GAME, parameter_set(SYSTEMS[GAME].declared, given=given))


def keep(database: Database, source: Source, model: Model) -> bytes:
    """As the window does with what was rated."""
    content = rating_jobs.Rate(source, model, state_of(source, model)).run(Desk(), untold)
    RatingsCache(database).put(key_of(GAME, model.system), content).result()
    return content


def test_a_history_that_is_kept_is_not_calculated_again(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    source, model = source_of(database), model_of()
    calculated = Desk().history(source, model, untold)
    keep(database, source, model)
    monkeypatch.setattr("browser_app.bridge.skill.desk.own_history", None)
    assert Desk().history(source, model, untold).to_bytes() == calculated.to_bytes()


def test_what_is_kept_of_other_parameters_is_not_taken(database: Database) -> None:
    source = source_of(database)
    keep(database, source, model_of(c=2.0))
    other = Desk().history(source, model_of(c=1.0), untold)
    assert other.to_bytes() != Desk().history(source, model_of(c=2.0), untold).to_bytes()


def test_a_damaged_cache_is_calculated_anew(database: Database) -> None:
    source, model = source_of(database), model_of()
    content = keep(database, source, model)
    RatingsCache(database).put(key_of(GAME, model.system), content[:200]).result()
    assert len(Desk().history(source, model, untold)) == ROUNDS


def test_getting_ready_leaves_nothing_to_be_read(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    source, model, desk = source_of(database), model_of(), Desk()
    rating_jobs.GetReady(source, model).run(desk, untold)
    monkeypatch.setattr("browser_app.bridge.skill.desk.stored_rounds", None)
    last = desk.book(source).rounds.record.ids[-1]
    explain = question_jobs.Explain(source, model, last)
    assert explain.unpack(explain.run(desk, untold)).system == GAME
