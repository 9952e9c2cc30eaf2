"""The file's size after rows were deleted."""

from browser_app.storage.database import Database
from browser_app.storage.free_pages import MAX_FREE_SHARE, shrink_file


def _count_pages(database: Database) -> tuple[int, int]:
    ((pages,),), ((free,),) = (database.fetch_all(f"PRAGMA {name}") for name in ("page_count", "freelist_count"))
    return pages, free


def test_free_pages_are_given_back(database: Database) -> None:
    database.execute("INSERT INTO notes VALUES ('long', 1, ?)", ("x" * 8_000_000,)).result()
    database.execute("DELETE FROM notes").result()
    shrink_file(database, lambda: False)
    before, _ = _count_pages(database)
    shrink_file(database)
    pages, free = _count_pages(database)
    assert pages < before / 2
    assert free <= pages * MAX_FREE_SHARE
