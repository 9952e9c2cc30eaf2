"""Merging imported lists into the user's own."""

from dataclasses import astuple, dataclass, replace

from browser_app.protocols.address import Address
from browser_app.storage.user_lists.alert_store import MAX_IMPORTED_ALERTS, ServerAlert
from browser_app.storage.user_lists.lists_file import ExportedLists
from browser_app.storage.user_lists.saved_filter_store import MAX_FILTER_NAME
from browser_app.storage.user_lists.search_alert_store import MAX_SEARCH_ALERTS, SearchAlert
from browser_app.storage.user_lists.server_list_store import Favourite
from browser_app.storage.user_lists.server_text_store import join_notes
from browser_app.storage.user_storage import UserStorage


@dataclass(frozen=True, slots=True)
class ListMergeCounts:
    """Numbers of new entries by list."""

    favourites: int = 0
    favourite_keys: int = 0
    notes: int = 0
    blocked: int = 0
    friends: int = 0
    saved_filters: int = 0
    countries: int = 0
    alerts: int = 0
    alerts_left_out: int = 0
    """New alerts beyond the limits."""
    saved_list_servers: int = 0
    saved_list_servers_left_out: int = 0
    """New ones beyond the limit."""

    @property
    def total(self) -> int:
        """Number of entries added to all lists."""
        counts: tuple[int, ...] = astuple(self)
        return sum(counts) - self.alerts_left_out - self.saved_list_servers_left_out


def merge_lists(storage: UserStorage, lists: ExportedLists) -> ListMergeCounts:
    """Add new entries, each list in one write.

    An existing favourite keeps its values and gains missing ones. Two notes for one server are joined as paragraphs. A
    filter whose name is taken gets a number. Call it from the thread that owns the lists.
    """
    friends = {
        (friend.kind, friend.value.casefold()): friend
        for friend in lists.friends
        if storage.friends.find(friend.kind, friend.value) is None
    }
    if friends:
        storage.friends.add_all(friends.values())
    return ListMergeCounts(
        _merge_favourites(storage, lists),
        _merge_keys(storage, lists),
        _merge_notes(storage, lists),
        _merge_blocked(storage, lists),
        len(friends),
        _merge_filters(storage, lists),
        _merge_countries(storage, lists),
        *_merge_alerts(storage, lists),
        *storage.saved_list_servers.merge(lists.saved_list_servers),
    )


def _merge_favourites(storage: UserStorage, lists: ExportedLists) -> int:
    own_favourites = {each.address: each for each in storage.favourites}
    merged_entries = dict[Address, Favourite]()
    for imported in lists.favourites:
        current = merged_entries.get(imported.address) or own_favourites.get(imported.address)
        merged = imported if current is None else _merge_favourite(current, imported)
        if merged != current:
            merged_entries[imported.address] = merged
    storage.favourites.add_all(merged_entries.values())
    return len(merged_entries.keys() - own_favourites.keys())


def _merge_favourite(current: Favourite, imported: Favourite) -> Favourite:
    return replace(
        current,
        name=current.name or imported.name,
        protocol=current.protocol or imported.protocol,
        game=current.game or imported.game,
        stable_key=current.stable_key or imported.stable_key,
        host_name=current.host_name or imported.host_name,
    )


def _merge_keys(storage: UserStorage, lists: ExportedLists) -> int:
    """Add keys except those of favourites; called after the favourites are merged."""
    favourite_keys = {favourite.stable_key for favourite in storage.favourites}
    return storage.favourite_keys.add(key for key in lists.favourite_keys if key not in favourite_keys)


def _merge_notes(storage: UserStorage, lists: ExportedLists) -> int:
    own_notes, new = storage.notes.all(), 0
    merged_entries = dict[Address, str]()
    for address, imported_note in lists.notes:
        current, text = merged_entries.get(address) or own_notes.get(address, ""), imported_note.strip()
        joined = join_notes(current, text) if text else current
        if joined != current:
            merged_entries[address] = joined
            new += 1
    storage.notes.set_all(merged_entries)
    return new


def _merge_countries(storage: UserStorage, lists: ExportedLists) -> int:
    own_countries = storage.corrected_countries.all()
    new = {address: country for address, country in lists.countries if address not in own_countries}
    if new:
        storage.corrected_countries.set_all(new)
    return len(new)


def _merge_blocked(storage: UserStorage, lists: ExportedLists) -> int:
    own_blocks = {(each.kind, each.value) for each in storage.blocked}
    new = {(each.kind, each.value): each for each in lists.blocked if (each.kind, each.value) not in own_blocks}
    storage.blocked.add_all(new.values())
    return len(new)


def _merge_filters(storage: UserStorage, lists: ExportedLists) -> int:
    own_filters = storage.saved_filters
    expression_by_name = {name.casefold(): expression for name, expression in own_filters.items()}
    new_filters = dict[str, str]()
    for name, expression in lists.saved_filters:
        candidate, number = name, 1
        while expression_by_name.get(candidate.casefold(), expression) != expression:
            number += 1
            candidate = f"{name[: MAX_FILTER_NAME - len(str(number)) - 3]} ({number})"
        if candidate.casefold() not in expression_by_name:
            expression_by_name[candidate.casefold()] = new_filters[candidate] = expression
    if new_filters:
        own_filters.save_all(new_filters.items())
    return len(new_filters)


def _merge_alerts(storage: UserStorage, lists: ExportedLists) -> tuple[int, int]:
    """Add alerts up to the limits; existing ones keep their numbers.

    Returns how many were added, and how many left out.
    """
    own_alerts = {(alert.address, alert.kind) for alert in storage.alerts}
    search_alerts = storage.search_alerts
    on_servers = {(alert.address, alert.kind): alert for alert in lists.alerts if isinstance(alert, ServerAlert)}
    on_any_server = {
        (alert.kind, alert.value.casefold()): alert for alert in lists.alerts if isinstance(alert, SearchAlert)
    }
    new = [alert for key, alert in on_servers.items() if key not in own_alerts]
    new_anywhere = [alert for alert in on_any_server.values() if search_alerts.find(alert.kind, alert.value) is None]
    added = new[: max(0, MAX_IMPORTED_ALERTS - len(own_alerts))]
    added_anywhere = new_anywhere[: max(0, MAX_SEARCH_ALERTS - len(search_alerts))]
    if added:
        storage.alerts.set_all(added)
    if added_anywhere:
        search_alerts.add_all(added_anywhere)
    count = len(added) + len(added_anywhere)
    return count, len(new) + len(new_anywhere) - count
