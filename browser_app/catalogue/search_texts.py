"""Texts that search words are looked up in."""

from collections.abc import Iterable, Mapping, Sequence

from browser_app.catalogue.server_info import PlayerInfo, ServerInfo


def format_search_text(info: ServerInfo, players: Sequence[PlayerInfo]) -> str:
    """Return name, map, mode, tags and player names, casefolded.

    Each is on a line of its own, so that no match spans two.
    """
    lines = [info.name, info.map, info.mode or "", info.mode_name or "", *info.tags]
    if players:
        lines += [player.name for player in players]
    return "\n".join(lines).casefold()


class SearchTexts:
    """Search texts by row, computed when they are read."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._stale_rows: set[int] = set()
        """Rows whose text is older than their last reply."""

    def mark_stale(self, rows: Iterable[int]) -> None:
        """Have the texts of these rows computed again."""
        self._stale_rows.update(rows)

    def update(
        self, infos: Sequence[ServerInfo | None], player_lists: Mapping[int, Sequence[PlayerInfo]]
    ) -> Sequence[str]:
        """Return the texts of all rows, empty for those without a reply."""
        self._texts += [""] * (len(infos) - len(self._texts))
        for row in self._stale_rows:
            info = infos[row]
            self._texts[row] = "" if info is None else format_search_text(info, player_lists.get(row, ()))
        self._stale_rows.clear()
        return self._texts
