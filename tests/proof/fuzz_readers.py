"""Every reader of input from outside, and the only errors that it may raise."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from fuzz_file_readers import round_readers, user_file_readers
from fuzz_list_readers import list_readers
from fuzz_reader import FuzzedReader
from fuzz_server_readers import server_readers
from fuzz_text_readers import text_readers


def readers(recorded: Sequence[Path] = ()) -> Mapping[str, FuzzedReader]:
    """Return all readers by name.

    `recorded` are folders of recorded data, which add to the good input.
    """
    return {
        **server_readers(recorded),
        **text_readers(),
        **list_readers(),
        **round_readers(recorded),
        **user_file_readers(),
    }
