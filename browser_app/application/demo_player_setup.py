"""Setup of the demo network's player in place of the user."""

import logging
from collections.abc import Sequence
from pathlib import Path

from browser_app.catalogue.server_info import SavedServer
from browser_app.player.demo_player import DemoLists, DemoPlayer
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.own_skill.skill_sample_store import IdentityStore, SkillSampleStore, StoredIdentity
from browser_app.storage.saved_servers import save_servers
from browser_app.storage.storage_errors import StorageError
from browser_app.storage.user_lists.alert_store import AlertKind, ServerAlert
from browser_app.storage.user_lists.friend_store import FRIEND_GROUPS, Friend, FriendKind
from browser_app.storage.user_lists.server_list_store import BlockEntry, BlockKind, Favourite
from browser_app.storage.user_storage import UserStorage

_log = logging.getLogger(__name__)
_LISTS_KEY = "demo_lists "
"""Prefix of the keys that record for which networks lists were stored."""


def set_up_identity(player: DemoPlayer, identities: IdentityStore) -> None:
    """Store the demo player's identities, unless identities are stored already."""
    if not len(identities):
        for each in player.identities:
            identities.add(StoredIdentity(each.game, each.kind, each.value))


def set_up_lists(lists: DemoLists, storage: UserStorage, now: float) -> None:
    """Store the demo player's lists, once for each network, as of a Unix time, s.

    The user may change them, but servers that no longer exist are saved again each time.
    """
    _store_saved_servers(lists.saved_servers, storage)
    key = _LISTS_KEY + " ".join(str(each.target.address) for each in lists.favourites)
    if not lists.favourites or storage.ui_state.set(key, True) is None:
        return
    storage.favourites.add_all(
        [Favourite(target.address, name, now, target.protocol, target.game) for target, name in lists.favourites]
    )
    storage.friends.add_all(Friend(FriendKind.NAME, name, FRIEND_GROUPS[0], now) for name in lists.friends)
    storage.blocked.add_all(BlockEntry(BlockKind.ADDRESS, str(address), now) for address in lists.blocked)
    storage.notes.set_all(dict(lists.notes))
    names = {target.address: name for target, name in lists.favourites}
    alerts = [(address, AlertKind.FRIEND, 0) for address in lists.friend_alerts]
    alerts += [(address, AlertKind.PLAYERS, players) for address, players in lists.player_alerts]
    for address, kind, players in alerts:
        storage.alerts.set(ServerAlert(address, kind, players, names.get(address, ""), now))


def _store_saved_servers(servers: Sequence[SavedServer], storage: UserStorage) -> None:
    """Save servers before the window loads those of earlier runs."""
    if servers:
        try:
            save_servers(storage.database, servers).result()
        except StorageError as error:
            _log.info("The demo's saved servers cannot be stored: %s", error)


def store_player_samples(player: DemoPlayer, samples: SkillSampleStore, now: float) -> None:
    """Store the skill samples that services reported before `now` (Unix time, s).

    Does nothing if some are stored. Slow. A sample that cannot be written is left out.
    """
    has_samples = dict[tuple[str, str], bool]()
    try:
        for each in player.samples(now):
            series = each.source, each.identity.game
            if series not in has_samples:
                has_samples[series] = bool(samples.load_samples(*series))
            if not has_samples[series]:
                samples.add(*series, each.identity.value, each.time, each.values).result()
    except StorageError as error:
        _log.info("The demo player's skill samples cannot be stored: %s", error)


def store_player_rounds(player: DemoPlayer, store: RoundStore, now: float) -> bool:
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
        stored = {each.file for each in store.load_files() if not Path(each.file).is_absolute()}
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
