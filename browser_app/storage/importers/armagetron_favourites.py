"""Favourites of Armagetron: the bookmarks in `user.cfg`."""

import re

from browser_app.storage.importers.imported_server import ImportedServer, join_host_port, list_favourites

ARMAGETRON_PORT = 4534
_LINE = re.compile(r"^BOOKMARK_([0-9]{1,3})_(ADDRESS|NAME|PORT)[ \t]+(\S[^\r\n]*?)[ \t]*$", re.MULTILINE)


def parse_armagetron_bookmarks(data: bytes) -> list[ImportedServer]:
    """Parse the bookmarks, without empty and invalid ones."""
    bookmarks: dict[str, dict[str, str]] = {}
    for number, key, value in _LINE.findall(data.decode("utf-8", "replace")):
        bookmarks.setdefault(number, {})[key] = value.replace("\\ ", " ")
    return list_favourites(
        (
            (join_host_port(values["ADDRESS"], values.get("PORT", str(ARMAGETRON_PORT))), values.get("NAME", ""))
            for values in bookmarks.values()
            if "ADDRESS" in values
        ),
        colours="armagetron",
    )
