"""Messages about the user's database for commands that read it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from browser_app.process_setup import print_note

if TYPE_CHECKING:
    from browser_app.storage.user_storage import UserStorage


@contextmanager
def printing_database_problems(storage: "UserStorage") -> Iterator[None]:
    """Print problems with the user's database.

    Problems with opening it are printed at once, unreadable rows at the end of the context.
    """
    if storage.database.notice:
        print_note(f"ready-room: {storage.database.notice}")
    try:
        yield
    finally:
        for text in storage.database.unreadable_texts:
            print_note(f"ready-room: {text}")
