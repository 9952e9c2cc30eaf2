"""Servers as lists describe them, merged into the catalogue.

A server's own reply takes precedence over its description in a list, unless the list is newer and the
server does not answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from browser_app.catalogue.catalogue_columns import Bools, ChangeSet, RowIds
from browser_app.catalogue.server_info import DescribedServer, QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.protocols.address import Address
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS, SAMP, protocol_family

if TYPE_CHECKING:
    from browser_app.catalogue.catalogue import Catalogue


def merge_descriptions(catalogue: "Catalogue", servers: Sequence[DescribedServer], described_at: float) -> ChangeSet:
    """Merge a list's descriptions, as of a Unix time, s; unknown servers are added."""
    rows, new = catalogue.rows.find_or_add([server.target for server in servers], [False] * len(servers))
    described = {
        row: server
        for row, server in zip(rows.tolist(), servers, strict=True)
        if row >= 0 and _is_wanted(catalogue, row, server, described_at)
    }
    ids = np.fromiter(described, np.intp, len(described))
    columns = {"status", "saved", "described", "described_at"}
    for row, server in described.items():
        catalogue.targets[row] = server.target._replace(game=server.info.game or server.target.game)
    catalogue.protocol.set(ids, [server.target.protocol for server in described.values()])
    infos = [_with_known_values(catalogue, row, server.target, server.info) for row, server in described.items()]
    catalogue.merge_infos(ids, infos, columns)
    catalogue.status[ids[catalogue.status[ids] == QueryStatus.NEVER_QUERIED]] = QueryStatus.LISTED
    catalogue.saved[ids] = False
    catalogue.described[ids] = True
    catalogue.described_at[ids] = described_at
    named = _name_servers(catalogue, dict(zip(rows.tolist(), servers, strict=True)), columns)
    return catalogue.rows.build_change_set(np.concatenate((ids, named)), new, columns)


def _name_servers(catalogue: "Catalogue", described: Mapping[int, DescribedServer], columns: set[str]) -> RowIds:
    """Give servers that answered without a name that of their list; return them."""
    infos = {}
    for row, server in described.items():
        known = catalogue.info_by_row[row] if row >= 0 else None
        if known is not None and not known.name and server.info.name and known.game == server.info.game:
            infos[row] = replace(known, name=server.info.name, coloured_name=server.info.coloured_name)
    rows = np.fromiter(infos, np.intp, len(infos))
    catalogue.merge_infos(rows, list(infos.values()), columns)
    return rows


def _is_wanted(catalogue: "Catalogue", row: int, server: DescribedServer, described_at: float) -> bool:
    """Return whether a description counts.

    One of another game does not if the server has answered, or is the user's own (`UserListMarks.may_retarget`).
    """
    known, listed = catalogue.targets[row].protocol, server.target.protocol
    has_answered = not np.isnan(catalogue.last_answer[row])
    if protocol_family(known) != protocol_family(listed) and (has_answered or catalogue.info_by_row[row] is None):
        return False
    if catalogue.info_by_row[row] is None or catalogue.described[row] or _is_ping_only(listed):
        return True
    return bool(catalogue.status[row] != QueryStatus.OK and not catalogue.last_answer[row] >= described_at)


def _is_ping_only(protocol: str) -> bool:
    return QUERY_PROTOCOLS[protocol].is_ping_only


def _shows_presence_only(result: QueryResult) -> bool:
    return _is_ping_only(result.target.protocol) or (result.info is not None and result.info.is_ping_only)


def ping_only_rows(results: Sequence[QueryResult]) -> Bools:
    """Return which results only show that a server is there."""
    return np.array([_shows_presence_only(result) for result in results], np.bool_)


def known_info(catalogue: "Catalogue", row: int, result: QueryResult) -> ServerInfo:
    """Return the info of a server that answered: its reply's or what was known before.

    What was known, such as from a list, is kept if the reply only shows that a server is there.
    """
    assert result.info is not None  # noqa: S101 - only called for successful queries
    known = catalogue.info_by_row[row]
    if known is not None and _shows_presence_only(result):
        return known
    return _with_known_values(catalogue, row, result.target, result.info)


def _with_known_values(catalogue: "Catalogue", row: int, target: QueryTarget, info: ServerInfo) -> ServerInfo:
    """Return an info without a name or without rules with what was known of them.

    Replies of some protocols do not name the server. Map and version of SA-MP stand in the rules, which lists and most
    replies do not have.
    """
    known = catalogue.info_by_row[row]
    if known is None or known.game != info.game:
        return info
    if not info.name and not QUERY_PROTOCOLS[target.protocol].names_servers:
        return replace(info, name=known.name, coloured_name=known.coloured_name)
    if target.protocol != SAMP or info.rules is not None:
        return info
    return replace(info, map=info.map or known.map, version=info.version or known.version)


def merge_listed(catalogue: "Catalogue", targets: Sequence[QueryTarget]) -> ChangeSet:
    """Add servers that lists name and that are not queried.

    Known ones stay as they are.
    """
    rows, new = catalogue.rows.find_or_add(targets, [False] * len(targets))
    return catalogue.rows.build_change_set(rows[rows >= 0], new, set())


def merge_steam_counts(catalogue: "Catalogue", players: Mapping[Address, int], counted_at: float) -> None:
    """Store how many players Steam listed per query address at a Unix time, s.

    Unknown servers are skipped.
    """
    known = {row: count for address, count in players.items() if (row := catalogue.row_of(address)) is not None}
    rows = np.fromiter(known, np.intp, len(known))
    catalogue.steam_players[rows] = list(known.values())
    catalogue.steam_counted_at[rows] = counted_at
