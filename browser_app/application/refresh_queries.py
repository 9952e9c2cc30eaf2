"""Queries that keep the window's server list up to date."""

from collections.abc import Container, Sequence

from browser_app.application.poll_session import QueryService
from browser_app.application.scoring_context import GameSelection
from browser_app.catalogue.catalogue_columns import Bools
from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.masters.query_sources import QuerySources
from browser_app.engine.query.scan import Scan
from browser_app.engine.query.scanner import Scanner
from browser_app.engine.refresh_schedule import MAX_SHARE_OF_PACE
from browser_app.engine.server_poll import ServerPoll, start_poll
from browser_app.protocols.query_session import QueryParts


class RefreshQueries:
    """Starts the queries of the automatic refresh.

    They have the sources and the pace of the window's own queries.
    """

    def __init__(self, queries: QueryService, scanner: Scanner, shown_games: GameSelection) -> None:
        self._queries, self._scanner, self._shown_games = queries, scanner, shown_games

    @property
    def max_packets_per_s(self) -> float:
        """Packets that the automatic refresh may send at the pace of the settings."""
        return self._queries.pace().packets_per_s * MAX_SHARE_OF_PACE

    @property
    def master_urls(self) -> Sequence[str]:
        """URLs of the selected masters, with keys redacted."""
        return [master.url for master in self._queries.selected.sources.masters]

    def rows_to_query(self) -> Bools:
        """Return the rows of the catalogue whose servers the user wants to see."""
        return self._shown_games.rows_to_query()

    def query_servers(self, targets: Sequence[QueryTarget], parts: QueryParts) -> Scan:
        """Query servers; what the user asks for goes first."""
        scan = self._scanner.scan(targets, pace=self._queries.pace(), parts=parts)
        scan.seal()
        return scan

    def poll_masters(self, urls: Container[str], known: Sequence[QueryTarget]) -> ServerPoll:
        """Start to poll these masters, and to query new servers in their lists.

        New are those that are not known. They are only passed on where servers are queried on request.
        """
        masters = tuple(master for master in self._queries.selected.sources.masters if master.url in urls)
        return start_poll(
            self._scanner,
            QuerySources(masters=masters),
            pace=self._queries.pace(),
            steam_key=self._queries.steam_key,
            known=known,
            skip_known=True,
            query_listed=not self._queries.on_request,
        )
