"""The scope of Play Now, and what it leaves out for a while."""

import time
from dataclasses import replace

import numpy as np

from browser_app.application.scoring_context import scope_filter
from browser_app.catalogue.filters.filter_tree import AndNode, FilterNode
from browser_app.catalogue.filters.server_filter import ServerFilter, parse_filter
from browser_app.engine.catalogue_snapshot import CatalogueSnapshot, PlayOptions, ServerScope
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import PLAY_NOW_SCOPE
from browser_app.storage.user_lists.saved_filter_store import SAVED_LIST_PREFIX
from browser_app.ui.lists.server_list_membership import ALL_LIST
from browser_app.ui.play.play_now_popover import ExclusionCount
from browser_app.ui.servers.server_order import ServerOrder, ShownList
from browser_app.ui.window_services import WindowServices

SKIP_DURATION_S, FAILURE_SKIP_S = 3600.0, 600.0
"""How long a server is left out if the user skips it, and after a join that failed."""


class PlayNowScope:
    """The list on screen or a saved filter, as the setting says, and its texts.

    A saved filter that is gone means the list on screen.
    """

    def __init__(self, services: WindowServices, order: ServerOrder) -> None:
        """Create the scope; `order` decides what the list on screen shows.

        Where no list is on screen, it is what the list showed last.
        """
        self._settings, self._saved_filters = services.settings, services.storage.saved_filters
        self._play_options, self._order = services.play_options, order
        self._catalogue = services.server_list.catalogue
        self._deleted_filter = ""
        """Key of the saved filter that was the scope until it was deleted."""

    @property
    def filter_name(self) -> str:
        """Name of the saved filter, or the expression; empty for the list on screen."""
        scope = self._settings.get(PLAY_NOW_SCOPE)
        return "" if scope_filter(scope, self._saved_filters) is None else scope.removeprefix(SAVED_LIST_PREFIX)

    def options(self) -> PlayOptions:
        """Return the options of Play Now with this scope.

        The scope follows the list on screen.
        """
        options = self._play_options(None)
        return options if self.filter_name else replace(options, scope=self._order)

    def run_options(self) -> PlayOptions:
        """Return the options of a run, which keeps the list that is on screen now."""
        options = self._play_options(None)
        return options if self.filter_name else replace(options, scope=self._order.shown_list())

    def is_other_list_shown(self, options: PlayOptions) -> bool:
        """Return whether the list on screen is no longer the one that a run chooses from."""
        return isinstance(options.scope, ShownList) and options.scope != self._order.shown_list()

    def all_servers(self) -> ServerScope:
        """Return the widest scope: all servers of the chosen games."""
        return self._play_options(parse_filter("")).scope

    def rename_filter(self, old: str, new: str) -> None:
        """Follow a saved filter to its new key; `ALL_LIST` if it was deleted."""
        if self._settings.get(PLAY_NOW_SCOPE) == old:
            self._settings.set(PLAY_NOW_SCOPE, "" if new == ALL_LIST else new)
            self._deleted_filter = old if new == ALL_LIST else ""

    def restore_filter(self, key: str) -> None:
        """Choose from a deleted filter that is there again, if that was so before."""
        if key == self._deleted_filter and not self._settings.get(PLAY_NOW_SCOPE):
            self._settings.set(PLAY_NOW_SCOPE, key)

    def choice_text(self, eligible: int, servers: int, reasons: str) -> str:
        """Return what the choice is the best of, and why.

        An example is `Best of 8 of 24 shown: 6 playing, …`. `eligible` of the `servers` of the scope could be chosen.
        """
        if name := self.filter_name:
            return _("Best of “{filter}”: {reasons}").format(filter=name, reasons=reasons)
        if eligible < servers:
            text = ngettext(
                "The only choice of {total} shown: {reasons}", "Best of {n} of {total} shown: {reasons}", eligible
            )
        else:
            text = ngettext("The only one shown: {reasons}", "Best of {n} shown: {reasons}", servers)
        return text.format(n=integer_text(eligible), total=integer_text(servers), reasons=reasons)

    def source_text(self) -> str:
        """Return what decides the servers to choose from, as a sentence."""
        return _("As chosen in the settings.") if self.filter_name else _("Play Now uses the list on screen.")

    def nothing_text(self, servers: int) -> str:
        """Return that none of these servers is eligible."""
        name, n = self.filter_name, integer_text(servers)
        if not servers:
            return _("No server matches “{filter}”").format(filter=name) if name else _("The list shows no servers")
        if name:
            text = ngettext("The server of “{filter}” is not suitable", "None of “{filter}” are suitable", servers)
            return text.format(filter=name)
        text = ngettext("The server shown is not suitable", "None of the {n} shown are suitable", servers)
        return text.format(n=n)

    def exclusions(self, options: PlayOptions, snapshot: CatalogueSnapshot) -> list[ExclusionCount]:
        """Return what keeps servers out of the scope of a run, each server counted once.

        For the list on screen, this is the list itself, then the filters over it; for a filter, its terms.
        """
        outside = ~snapshot.in_scope
        excluded, filters, scope = [], list[ServerFilter](), options.scope
        if isinstance(scope, ServerFilter):
            filters = [scope]
        elif isinstance(scope, ShownList):
            excluded, filters = [(_("Not in the list"), ~scope.list_rows())], [*scope.filters.values()]
        for term in (operand for each in filters for operand in _and_operands(each.node)):
            passing = ServerFilter(term).matching_rows(self._catalogue)
            excluded.append((_("Filter: {term}").format(term=term), ~passing))
        excluded.append((_("Host limit"), outside))
        counts = []
        for label, rows in excluded:
            counts.append(ExclusionCount(label, int(np.count_nonzero(outside & rows))))
            outside = outside & ~rows
        return [each for each in counts if each.servers]


class SkippedServers:
    """Servers by address and games by id, each until a time of its own."""

    def __init__(self) -> None:
        self._addresses: dict[Address, float] = {}
        self._games: dict[str, float] = {}

    def skip_server(self, address: Address, seconds: float) -> None:
        """Leave a server out."""
        self._addresses[address] = time.monotonic() + seconds

    def skip_game(self, game: str, seconds: float) -> None:
        """Leave out all servers of a game."""
        self._games[game] = time.monotonic() + seconds

    def clear_games(self) -> None:
        """Leave no game out any more."""
        self._games.clear()

    def apply_to(self, options: PlayOptions) -> PlayOptions:
        """Return the options without the skipped servers."""
        now = time.monotonic()
        return replace(
            options,
            skipped_addresses=frozenset(address for address, until in self._addresses.items() if until > now),
            skipped_games=frozenset(game for game, until in self._games.items() if until > now),
        )


def _and_operands(node: FilterNode) -> list[FilterNode]:
    if isinstance(node, AndNode):
        return [term for operand in node.operands for term in _and_operands(operand)]
    return [node]
