"""Setup of the demo network's player in place of the user."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from browser_app.application.skill_preferences import SkillPreferences
from browser_app.games.game_profile import GameProfile
from browser_app.player.supplied_player import SuppliedPlayer
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.own_skill.skill_sample_store import IdentityStore, SkillSampleStore, StoredIdentity
from browser_app.storage.storage_errors import StorageError
from browser_app.storage.ui_state import UiState


def set_up_identity(
    player: SuppliedPlayer, identities: IdentityStore, ui_state: UiState, games: Mapping[str, GameProfile]
) -> None:
    """He is who plays, with his parameters, unless it was said before who does."""
    if len(identities):
        return
    from browser_app.rating.rating_parameters import resolve_parameters
    from browser_app.rating.system_registry import RATING_SYSTEMS

    for each in player.identities:
        identities.add(StoredIdentity(each.game, each.kind, each.value))
    preferences = SkillPreferences(ui_state, games)
    for (game, system), parameters in player.parameters.items():
        preferences.set_parameters(
            game, system, resolve_parameters(RATING_SYSTEMS[system].declared_parameters, explicit=parameters)
        )


def store_player_samples(player: SuppliedPlayer, samples: SkillSampleStore, now: float) -> None:
    """Have it kept what services said of him before `now` (Unix time, s), unless something is kept of them already.

    Takes its time. What cannot be written is not there to be shown.
    """
    kept = dict[tuple[str, str], bool]()
    with suppress(StorageError):
        for each in player.samples(now):
            asked = each.source, each.identity.game
            if asked not in kept:
                kept[asked] = bool(samples.samples_of(*asked))
            if not kept[asked]:
                samples.add(*asked, each.identity.value, each.time, each.values).result()


def store_player_rounds(player: SuppliedPlayer, store: RoundStore, now: float) -> bool:
    """Have the store hold what he played up to `now` (Unix time, s), in place of what it held of an earlier time.

    Takes its time. Where the rounds cannot be written there are none to show, and `Database.problem` says why. The
    result: whether the rounds are others than before.
    """
    from browser_app.rounds.round_errors import RoundFileError
    from browser_app.rounds.round_formats import ROUND_FILE_FORMAT

    try:
        found = dict(player.rounds(now))
        kept = {each.file for each in store.files() if not Path(each.file).is_absolute()}  # those have no folder
        if kept == found.keys():
            return False
        for name in kept:
            store.remove_file(name).result()
        for name, make in found.items():
            store.add_file(name, ROUND_FILE_FORMAT, enumerate(make(), 1))
    except (StorageError, RoundFileError):
        return False
    return True
