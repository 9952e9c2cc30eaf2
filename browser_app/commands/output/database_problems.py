"""Messages about the user's database for commands that read it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from browser_app.process_setup import print_note

if TYPE_CHECKING:
    from browser_app.storage.user_session import UserSession


@contextmanager
def printing_database_problems(session: "UserSession") -> Iterator[None]:
    """Print problems with the user's database.

    Problems with opening it are printed at once, unreadable rows at the end of the context.
    """
    if session.database.notice:
        print_note(f"ready-room: {session.database.notice}")
    try:
        yield
    finally:
        for text in session.database.unreadable_texts:
            print_note(f"ready-room: {text}")
