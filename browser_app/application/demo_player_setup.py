"""Setup of the demo network's player in place of the user."""

import logging
from pathlib import Path

from browser_app.player.supplied_player import SuppliedPlayer
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.own_skill.skill_sample_store import IdentityStore, SkillSampleStore, StoredIdentity
from browser_app.storage.storage_errors import StorageError

_log = logging.getLogger(__name__)


def set_up_identity(player: SuppliedPlayer, identities: IdentityStore) -> None:
    """Store the demo player's identities, unless identities are stored already."""
    if not len(identities):
        for each in player.identities:
            identities.add(StoredIdentity(each.game, each.kind, each.value))


def store_player_samples(player: SuppliedPlayer, samples: SkillSampleStore, now: float) -> None:
    """Store the skill samples that services reported before `now` (Unix time, s).

    Does nothing if some are stored. Slow.

    A sample that cannot be written is left out.
    """
    has_samples = dict[tuple[str, str], bool]()
    try:
        for each in player.samples(now):
            series = each.source, each.identity.game
            if series not in has_samples:
                has_samples[series] = bool(samples.samples_of(*series))
            if not has_samples[series]:
                samples.add(*series, each.identity.value, each.time, each.values).result()
    except StorageError as error:
        _log.info("The demo player's skill samples cannot be stored: %s", error)


def store_player_rounds(player: SuppliedPlayer, store: RoundStore, now: float) -> bool:
    """Replace the demo player's stored rounds by those up to `now` (Unix time, s).

    Slow.

    Returns:
        Whether the rounds changed. If they cannot be written there are none, and `Database.problem` says why.
    """
    from browser_app.rounds.round_errors import RoundFileError
    from browser_app.rounds.round_formats import ROUND_FILE_FORMAT

    try:
        found = dict(player.rounds(now))
        # Only the demo's rounds have file names without a folder.
        stored = {each.file for each in store.files() if not Path(each.file).is_absolute()}
        if stored == found.keys():
            return False
        for name in stored:
            store.remove_file(name).result()
        for name, make in found.items():
            store.add_file(name, ROUND_FILE_FORMAT, enumerate(make(), 1))
    except (StorageError, RoundFileError) as error:
        _log.info("The demo player's rounds cannot be stored: %s", error)
        return False
    return True
