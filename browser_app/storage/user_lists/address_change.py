"""The user's entries for one server, moved when its address changes."""

from dataclasses import replace

from browser_app.protocols.address import Address
from browser_app.storage.user_lists.server_list_store import BlockKind
from browser_app.storage.user_lists.server_text_store import ServerTextStore, join_notes
from browser_app.storage.user_storage import UserStorage


def move_server_entries(storage: UserStorage, old: Address, new: Address) -> bool:
    """Move a server's entries; return whether there were any.

    These are notes, countries, launch arguments, alerts and blocks. Nothing is overwritten: two notes are joined as
    paragraphs, and a country or launch arguments stay where they are if others are at the new address. Of two alerts of
    one kind, the newer one is kept.
    """
    has_moved = [
        _move_note(storage.notes, old, new),
        _move_text(storage.corrected_countries, old, new),
        _move_text(storage.launch_arguments, old, new),
        _move_alerts(storage, old, new),
        _move_block(storage, old, new),
    ]
    return any(has_moved)


def _move_note(notes: ServerTextStore, old: Address, new: Address) -> bool:
    text = notes.get(old)
    if text:
        notes.set_all({old: "", new: join_notes(notes.get(new), text)})
    return bool(text)


def _move_text(texts: ServerTextStore, old: Address, new: Address) -> bool:
    text = texts.get(old)
    if not text or texts.get(new) not in ("", text):
        return False
    texts.set_all({old: "", new: text})
    return True


def _move_alerts(storage: UserStorage, old: Address, new: Address) -> bool:
    alerts, existing = storage.alerts.find_alerts(old), storage.alerts.find_alerts(new)
    storage.alerts.set_all(
        replace(each, address=new)
        for kind, each in alerts.items()
        if kind not in existing or each.added_at > existing[kind].added_at
    )
    for kind in alerts:
        storage.alerts.remove(old, kind)
    return bool(alerts)


def _move_block(storage: UserStorage, old: Address, new: Address) -> bool:
    blocks = {each.value: each for each in storage.blocked if each.kind is BlockKind.ADDRESS}
    block = blocks.get(str(old))
    if block is None:
        return False
    if str(new) not in blocks:
        storage.blocked.add(BlockKind.ADDRESS, str(new), block.added_at)
    storage.blocked.remove(BlockKind.ADDRESS, str(old))
    return True
