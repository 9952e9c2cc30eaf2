"""Limit of the memory for what the servers on one host send."""

from collections.abc import Mapping, Sequence
from typing import Final

from browser_app.catalogue.reply_readers.server_info_text import PlainRules
from browser_app.catalogue.server_info import PlayerInfo
from browser_app.games.game_files import GameFiles
from browser_app.protocols.address import parse_ip
from browser_app.protocols.effective_host import effective_host

MAX_BYTES_PER_HOST: Final = 4 << 20
"""Two hundred servers with twelve players and thirty rules take 2 MiB; a thousand hostile ones could take 100 MiB."""
MIN_COUNTED_BYTES: Final = 4 << 10
"""Details of most servers are smaller, and not counted."""
_PLAYER_BYTES, _TEXT_BYTES = 300, 80
"""Memory of a player with a long name, and of a text without its characters."""


def estimate_details_bytes(players: Sequence[PlayerInfo], rules: Mapping[str, str], files: GameFiles | None) -> int:
    """Return about how much memory the details of a reply take."""
    raw = rules.raw if isinstance(rules, PlainRules) else rules
    names = () if files is None else (files.main_wad, *files.wads, *files.patches)
    characters = sum(map(len, raw)) + sum(map(len, raw.values())) + sum(map(len, names))
    return characters + _PLAYER_BYTES * len(players) + _TEXT_BYTES * (2 * len(raw) + len(names))


class DetailsBudget:
    """Chooses the servers of a host that lose details: those with old replies."""

    def __init__(self) -> None:
        self._host_by_row: dict[int, str] = {}
        self._bytes_by_host: dict[str, dict[int, int]] = {}
        """By row, the oldest reply first."""
        self._total_by_host: dict[str, int] = {}

    def store(self, row: int, address: str, size: int) -> list[int]:
        """Store the size of a new reply's details; return the rows that lose theirs."""
        self.forget(row)
        if size < MIN_COUNTED_BYTES or _is_this_machine(address):
            return []
        host = self._host_by_row[row] = effective_host(address).host
        rows = self._bytes_by_host.setdefault(host, {})
        rows[row] = size
        self._total_by_host[host] = self._total_by_host.get(host, 0) + size
        lost: list[int] = []
        while self._total_by_host[host] > MAX_BYTES_PER_HOST and len(rows) > 1:
            lost.append(next(iter(rows)))
            self.forget(lost[-1])
        return lost

    def forget(self, row: int) -> None:
        """Forget the details of a row."""
        host = self._host_by_row.pop(row, None)
        if host is None:
            return
        self._total_by_host[host] -= self._bytes_by_host[host].pop(row)
        if not self._bytes_by_host[host]:
            del self._bytes_by_host[host], self._total_by_host[host]


def _is_this_machine(address: str) -> bool:
    """Return whether an address is of this machine, which has no limit.

    The demo network may have thousands of servers on one address.
    """
    ip = parse_ip(address)
    return ip is not None and ip.is_loopback
