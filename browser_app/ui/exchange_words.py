"""How found files and lists are named."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from browser_app.games.profile import GameProfile
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.storage.exchange import Lists
from browser_app.storage.foreign.finder import FoundFile
from browser_app.storage.foreign.found import Keeping
from browser_app.storage.foreign.places import STEAM
from browser_app.ui.dialogs.take_in_dialog import Line


def file_line(games: Mapping[str, GameProfile], file: FoundFile) -> Line:
    """`Xonotic: 9 favourites, 2 by a key, known when they answer`, and the file."""
    counts = Counter(server.keeping for server in file.servers)
    favourites, played, blocked = (counts[kind] for kind in (Keeping.FAVOURITE, Keeping.PLAYED, Keeping.BLOCKED))
    parts = [
        ngettext("{n} favourite", "{n} favourites", favourites).format(n=favourites) if favourites else "",
        ngettext("{n} visit", "{n} visits", played).format(n=played) if played else "",
        _("{n} blocked").format(n=blocked) if blocked else "",
        _("{n} by a key, known when they answer").format(n=len(file.keys)) if file.keys else "",
    ]
    owner = "Steam" if file.owner == STEAM else games[file.owner].name
    return Line(f"{owner}: {', '.join(part for part in parts if part)}", short_path(file.path))


def list_lines(lists: Lists) -> list[tuple[str, str]]:
    """Each list that holds something: its name in `Lists`, and words for it."""
    n = {field.name: len(getattr(lists, field.name)) for field in fields(lists)}
    words = {
        "favourites": ngettext("{n} favourite", "{n} favourites", n["favourites"]),
        "favourite_keys": ngettext(
            "{n} favourite by a key, known when it answers",
            "{n} favourites by a key, known when they answer",
            n["favourite_keys"],
        ),
        "notes": ngettext("{n} note", "{n} notes", n["notes"]),
        "blocked": _("{n} blocked"),
        "friends": ngettext("{n} friend", "{n} friends", n["friends"]),
        "saved_filters": ngettext("{n} saved filter", "{n} saved filters", n["saved_filters"]),
    }
    return [(key, text.format(n=n[key])) for key, text in words.items() if n[key]]


def short_path(path: Path) -> str:
    """With `~` for the user's folder."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return str(path)
