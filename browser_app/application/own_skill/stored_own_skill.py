"""Own skill from stored data, for programs without a window."""

import logging
import time
from collections.abc import Iterator, Mapping

from browser_app.application.demo_player_setup import set_up_identity, store_player_rounds, store_player_samples
from browser_app.application.own_skill.own_skill_resolver import OwnSkillResolver
from browser_app.application.own_skill.skill_preferences import SkillPreferences
from browser_app.application.own_skill.skill_web_services import SKILL_SERVICES, in_game_state, source_state
from browser_app.games.game_profile import GameProfile
from browser_app.player.demo_player import DemoPlayer
from browser_app.player.player_identities import parse_identities
from browser_app.player.skill_sources import SkillSourceState
from browser_app.rating_worker.worker_job import JobError
from browser_app.storage.storage_errors import StorageError
from browser_app.storage.user_storage import UserStorage

_log = logging.getLogger(__name__)


def load_own_skill(
    storage: UserStorage, games: Mapping[str, GameProfile], demo_player: DemoPlayer | None = None
) -> OwnSkillResolver:
    """Return the resolver that the window uses.

    It has the services' stored answers and queries no service. Slow. Rounds that are new since the last count are rated
    first. `demo_player` takes the user's place. What cannot be read does not count.
    """
    if demo_player is not None:
        now = time.time()
        set_up_identity(demo_player, storage.identities)
        store_player_samples(demo_player, storage.skill_samples, now)
        store_player_rounds(demo_player, storage.round_store, now)
    preferences = SkillPreferences(storage.ui_state, games)
    try:
        _count_own_rounds(storage, preferences)
    except (JobError, StorageError) as error:
        _log.info("The own rounds are not rated: %s", error)

    def in_game_skill(game: str) -> SkillSourceState | None:
        try:
            return in_game_state(_stored_states(storage, game, is_demo=demo_player is not None))
        except StorageError as error:
            _log.info("The services' answers are unknown: %s", error)
            return None

    return OwnSkillResolver(preferences, games, storage.own_skill, in_game_skill)


def _count_own_rounds(storage: UserStorage, preferences: SkillPreferences) -> None:
    """Rate the rounds of games whose servers report a skill.

    Does nothing if that was done since the last import.

    Raises:
        JobError, StorageError: they cannot be read.
    """
    games = [game for game in storage.round_store.count_rounds() if preferences.own_skill_config(game) is not None]
    if not games:
        return
    from browser_app.application.own_skill.skill_record_loader import record_location
    from browser_app.rating.progress_callback import ignore_progress
    from browser_app.rating_worker.rating_jobs import CountRoundsJob
    from browser_app.rating_worker.worker_cache import WorkerCache

    identities, cache = parse_identities(storage.identities), WorkerCache()
    for game in games:
        location = record_location(storage.database, game, identities)
        if not preferences.is_counted(location):
            job = CountRoundsJob(location, preferences.own_skill_config(game))
            preferences.save_count(location, job.unpack(job.run(cache, ignore_progress)))


def _stored_states(storage: UserStorage, game: str, *, is_demo: bool) -> Iterator[SkillSourceState]:
    """Yield the states of a game's services as of their last answers."""
    identities = storage.identities.find_identities(game)
    for service in SKILL_SERVICES:
        if service.game == game:
            mine = [each.value for each in identities if each.kind == service.identity]
            last = storage.skill_samples.load_latest_samples(service.kind, game)
            found = next((last[identity] for identity in mine if identity in last), None)
            answer = None if found is None else (found.until, found.values)
            yield source_state(service, answer, enabled=is_demo or storage.settings.get(service.setting), problem="")
