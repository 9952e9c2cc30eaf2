"""Files that games of Doom are played with."""

from typing import NamedTuple


class GameFiles(NamedTuple):
    """Names of a server's files, as it sends them."""

    main_wad: str
    """The game itself (IWAD)."""
    wads: tuple[str, ...]
    """Further WADs, in the order of loading."""
    optional_wads: frozenset[str] = frozenset()
    """Those of `wads` that one may play without."""
    patches: tuple[str, ...] = ()
    """DeHackEd patches."""
