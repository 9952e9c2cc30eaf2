"""Texts that search words are looked up in."""

from collections.abc import Iterable, Sequence

from browser_app.catalogue.catalogue_columns import CatalogueColumns


def _format_search_text(columns: CatalogueColumns, row: int) -> str:
    """Return name, map, mode, tags and player names, casefolded.

    The text is empty without a reply. Each is on a line of its own, so that no match spans two.
    """
    info = columns.info_by_row[row]
    if info is None:
        return ""
    lines = [info.name, info.map, columns.mode[row], columns.mode_name[row], *info.tags]
    lines += [player.name for player in columns.player_lists.get(row, ())]
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

    def update(self, columns: CatalogueColumns) -> Sequence[str]:
        """Return the texts of all rows, empty for those without a reply."""
        self._texts += [""] * (len(columns) - len(self._texts))
        for row in self._stale_rows:
            self._texts[row] = _format_search_text(columns, row)
        self._stale_rows.clear()
        return self._texts
