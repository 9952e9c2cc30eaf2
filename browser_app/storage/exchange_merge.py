"""Lists of a file taken into the user's own: nothing that is there is lost or written over."""

from dataclasses import astuple, dataclass, replace

from browser_app.storage.exchange import Lists
from browser_app.storage.saved_filters import MAX_NAME, SavedFilters
from browser_app.storage.session import Session


@dataclass(frozen=True, slots=True)
class Merged:
    """How many entries of each list were new."""

    favourites: int = 0
    favourite_keys: int = 0
    notes: int = 0
    blocked: int = 0
    friends: int = 0
    saved_filters: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return sum(astuple(self))


def merge(session: Session, lists: Lists) -> Merged:
    """Add what is new. Only for the thread that owns the lists.

    A favourite that is there keeps its words and learns what it did not know; two notes about one server become one;
    a filter whose name is another filter's gets a number.
    """
    friends = {(f.kind, f.value.casefold()): f for f in lists.friends if session.friends.find(f.kind, f.value) is None}
    if friends:
        session.friends.put(friends.values())
    return Merged(
        _merge_favourites(session, lists),
        _merge_keys(session, lists),
        _merge_notes(session, lists),
        _merge_blocked(session, lists),
        len(friends),
        sum(_merge_filter(session.saved_filters, *each) for each in lists.saved_filters),
    )


def _merge_favourites(session: Session, lists: Lists) -> int:
    mine, new = {each.address: each for each in session.favourites}, 0
    for theirs in lists.favourites:
        known = mine.get(theirs.address)
        if known is None:
            session.favourites.add(theirs)
            mine[theirs.address] = theirs
            new += 1
            continue
        fuller = replace(
            known,
            name=known.name or theirs.name,
            protocol=known.protocol or theirs.protocol,
            game=known.game or theirs.game,
            stable_key=known.stable_key or theirs.stable_key,
        )
        if fuller != known:
            session.favourites.add(fuller)
            mine[theirs.address] = fuller
    return new


def _merge_keys(session: Session, lists: Lists) -> int:
    """After the favourites: what one of them is known by is not waited for."""
    known = {favourite.stable_key for favourite in session.favourites}
    return session.favourite_keys.add(key for key in lists.favourite_keys if key not in known)


def _merge_notes(session: Session, lists: Lists) -> int:
    mine, new = dict(session.notes.all()), 0
    for address, theirs in lists.notes:
        known, text = mine.get(address, ""), theirs.strip()
        if text and text not in known:
            mine[address] = f"{known}\n\n{text}" if known else text
            session.notes.set(address, mine[address])
            new += 1
    return new


def _merge_blocked(session: Session, lists: Lists) -> int:
    mine, new = {(each.kind, each.value) for each in session.blocked}, 0
    for block in lists.blocked:
        if (block.kind, block.value) not in mine:
            mine.add((block.kind, block.value))
            session.blocked.add(block.kind, block.value, block.added_at)
            new += 1
    return new


def _merge_filter(mine: SavedFilters, name: str, expression: str) -> bool:
    candidate, number = name, 1
    while (taken := mine.named_like(candidate)) is not None:
        if mine[taken] == expression:
            return False
        number += 1
        candidate = f"{name[: MAX_NAME - len(str(number)) - 3]} ({number})"
    mine.save(candidate, expression)
    return True
