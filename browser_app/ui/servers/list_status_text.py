"""Texts for a server list that is empty, saved or offline."""

from collections.abc import Sequence
from dataclasses import dataclass

from browser_app.engine.masters.outage import Outage
from browser_app.language import N_, ngettext
from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.ui.filters.filter_chip_bar import FilterChipState
from browser_app.ui.lists.server_list_membership import (
    ALL_LIST,
    BLOCKED_LIST,
    FAVOURITES_LIST,
    FRIENDS_LIST,
    GAME_LIST_PREFIX,
    LAN_LIST,
    RECENT_LIST,
)
from browser_app.ui.settings.keyboard_shortcuts import shortcut_text
from browser_app.ui.widgets.value_text import age_text, join_sentences

# Actions that banner and empty page offer.
REFRESH_ACTION, ALL_SERVERS_ACTION, CLEAR_FILTERS_ACTION = "refresh", "all", "clear"
ADD_KEY_ACTION, SEARCH_LAN_ACTION, ADD_ADDRESS_ACTION = "key", "lan", "address"
MASTERS_ACTION, FRIENDS_ACTION = "masters", "friends"

_OUTAGE_HEADLINES = {
    Outage.NO_NETWORK: N_("No network connection"),
    Outage.NO_NAMES: N_("Host names cannot be resolved"),
    Outage.NO_MASTER: N_("No master server answered"),
    Outage.FEW_MASTERS: N_("Most master servers did not answer"),
}
_OUTAGE_CAUSES = {
    Outage.NO_NETWORK: N_("This computer is not connected to the Internet."),
    Outage.NO_NAMES: N_("No name server answers, or none knows the master servers. Check your Internet connection."),
    Outage.NO_MASTER: N_("A firewall may block them, or your Internet connection is down."),
    Outage.FEW_MASTERS: N_("Their servers are missing from the list."),
}


@dataclass(frozen=True)
class ListSituation:
    """The facts that decide which status is shown."""

    known_count: int
    shown_count: int
    list_count: int
    """Servers of the current list, whether they pass the filters or not."""
    favourite_count: int
    current_list: str
    is_polling: bool
    is_loading_saved: bool
    has_polled: bool
    outage: Outage | None
    """Why no master server delivered a list."""
    remembered_count: int
    """Saved servers that have not answered in this session."""
    saved_age_s: float | None
    """Age of the newest saved server that has not answered in this session, seconds."""
    unqueried_saved_count: int = 0
    """Saved servers whose first query in this session has not ended."""
    polled_count: int = 0
    """Servers whose query has ended, of `poll_target_count`."""
    poll_target_count: int = 0
    unanswered_count: int = 0
    """Servers of the current list that have not answered in this session."""
    master_failures: Sequence[str] = ()
    has_masters: bool = True
    """Whether any master server is in use."""
    game_name: str = ""
    """Name of the game whose list is shown, if none of its own master servers answered."""
    filters: Sequence[FilterChipState] = ()
    """The active filters."""
    games_without_key: Sequence[str] = ()
    """Names of games that cannot be listed without a key: the list's game, or all if no server is known."""
    is_searching_lan: bool = False
    """A LAN search is running."""


@dataclass(frozen=True)
class ListStatusText:
    """Texts of a status; actions are pairs of button text and action name."""

    icon: str
    headline: str
    reason: str
    action: tuple[str, str] | None = None
    role: str = "text2"
    other_actions: tuple[tuple[str, str], ...] = ()
    """Secondary actions."""
    filters: tuple[FilterChipState, ...] = ()
    note: str = ""
    progress: float | None = None
    """Completed share, 0 to 1; None shows no progress bar."""


def list_banner_text(situation: ListSituation) -> ListStatusText | None:
    """Return the banner above the rows, None for no banner."""
    if not situation.shown_count:
        return None
    if situation.outage is not None:
        return _outage_banner(situation, situation.outage)
    is_first_update = situation.is_polling and situation.unqueried_saved_count > 0
    if situation.saved_age_s is not None and (is_first_update or situation.remembered_count == situation.known_count):
        what = _("Saved servers from {age} ago.").format(age=age_text(situation.saved_age_s))
        why = _("Not updated yet: {n}.").format(n=integer_text(situation.remembered_count))
        progress = _polled_share(situation) if situation.is_polling else None
        return ListStatusText("clock", what, why, progress=progress)
    return None


def empty_page_text(situation: ListSituation) -> ListStatusText | None:
    """Return the page shown without rows or below few of them, None for no page."""
    if situation.shown_count:
        return _polling_text(situation)
    if situation.current_list == LAN_LIST and not situation.list_count:
        return _lan_text(situation)
    if situation.outage is not None and _explains_empty_list(situation):
        return _outage_page(situation, situation.outage)
    if not situation.has_masters and not situation.known_count and situation.has_polled:
        return _no_masters_text()
    if situation.game_name and not situation.is_polling:
        return _game_unreachable_text(situation)
    if situation.games_without_key and not situation.is_polling:
        return _missing_key_text(situation.games_without_key)
    if not situation.known_count or (
        situation.current_list == ALL_LIST and situation.is_polling and not situation.list_count
    ):
        return _no_servers_text(situation)
    if situation.list_count:
        return _all_hidden_text(situation)
    return _empty_list_text(situation.current_list)


def _polling_text(situation: ListSituation) -> ListStatusText | None:
    left = situation.poll_target_count - situation.polled_count - situation.unanswered_count
    if not situation.is_polling or left <= 0:
        return None
    what = ngettext("Waiting for {n} more server", "Waiting for {n} more servers", left)
    why = _("Rows keep their place while you point at them.")
    return ListStatusText("", what.format(n=integer_text(left)), why, progress=_polled_share(situation))


def _polled_share(situation: ListSituation) -> float:
    return situation.polled_count / situation.poll_target_count if situation.poll_target_count else 0.0


def _no_servers_text(situation: ListSituation) -> ListStatusText:
    if situation.is_loading_saved:
        return ListStatusText(
            "clock", _("Loading saved servers…"), _("Saved servers are shown greyed out until they answer.")
        )
    if situation.is_polling:
        left = situation.poll_target_count - situation.polled_count
        waiting = ngettext("Waiting for {n} server…", "Waiting for {n} servers…", left).format(n=integer_text(left))
        what = waiting if left > 0 else _("Querying master servers…")
        return ListStatusText("globe", what, _("The list fills as servers answer."))
    if not situation.has_polled:
        return ListStatusText(
            "globe", _("No servers yet"), _("Refresh to load the list."), (_("Refresh"), REFRESH_ACTION)
        )
    why = situation.master_failures[0] if situation.master_failures else _("No master server listed any servers.")
    return ListStatusText("off", _("No servers"), why, (_("Try again"), REFRESH_ACTION), "warning")


def outage_headline(outage: Outage) -> str:
    """Return the cause of an outage in a few words."""
    return _(_OUTAGE_HEADLINES[outage])


def _explains_empty_list(situation: ListSituation) -> bool:
    """Return whether a list is empty because no list could be loaded.

    False if it is empty for a reason of its own.
    """
    if situation.list_count:
        return False
    is_loaded = situation.current_list == ALL_LIST or situation.current_list.startswith(GAME_LIST_PREFIX)
    return is_loaded or not situation.known_count


def _outage_banner(situation: ListSituation, outage: Outage) -> ListStatusText:
    why = _("The list stays as it is.")
    if situation.remembered_count and situation.saved_age_s is not None:
        why = _("Showing servers from {age} ago.").format(age=age_text(situation.saved_age_s))
    elif outage is not Outage.NO_NETWORK:
        why = _("Only servers that are known already are queried.")
    return ListStatusText(
        "off", outage_headline(outage), join_sentences(why, _retry_text(situation)), _retry_action(situation), "warning"
    )


def _outage_page(situation: ListSituation, outage: Outage) -> ListStatusText:
    return ListStatusText(
        "off",
        outage_headline(outage),
        join_sentences(_(_OUTAGE_CAUSES[outage]), _retry_text(situation)),
        _retry_action(situation),
        "warning",
        other_actions=(*_ways_without_list(), (_("Master servers…"), MASTERS_ACTION)),
        note=_outage_note(situation, outage),
    )


def _outage_note(situation: ListSituation, outage: Outage) -> str:
    if outage is Outage.NO_MASTER and len(situation.master_failures) == 1:
        return situation.master_failures[0]
    return _("Some games also need a Steam Web API key.") if situation.games_without_key else ""


def _retry_text(situation: ListSituation) -> str:
    return _("Trying again now…") if situation.is_polling else _("Ready Room tries again automatically.")


def _retry_action(situation: ListSituation) -> tuple[str, str] | None:
    return None if situation.is_polling else (_("Try again"), REFRESH_ACTION)


def _ways_without_list() -> tuple[tuple[str, str], ...]:
    return ((_("Add a server by address"), ADD_ADDRESS_ACTION), (_("Search the LAN"), SEARCH_LAN_ACTION))


def _no_masters_text() -> ListStatusText:
    return ListStatusText(
        "off",
        _("All master servers are turned off"),
        _("Without one, only servers that you add yourself are known."),
        (_("Master servers…"), MASTERS_ACTION),
        other_actions=_ways_without_list(),
    )


def _game_unreachable_text(situation: ListSituation) -> ListStatusText:
    return ListStatusText(
        "off",
        _("No master server of {game} answered").format(game=situation.game_name),
        situation.master_failures[0] if situation.master_failures else "",
        (_("Try again"), REFRESH_ACTION),
        "warning",
        other_actions=((_("Master servers…"), MASTERS_ACTION),),
    )


def _missing_key_text(games: Sequence[str]) -> ListStatusText:
    many = _("{n} games need a Steam Web API key").format(n=len(games))
    return ListStatusText(
        "key",
        _("{game} needs a Steam Web API key").format(game=games[0]) if len(games) == 1 else many,
        _(
            "Valve provides its server list only with a key. The key is free, takes a minute to get, "
            "and is saved in the keyring of this computer."
        ),
        (_("Add a key…"), ADD_KEY_ACTION),
        other_actions=_ways_without_list(),
        note=_("Servers with a known address are queried anyway."),
    )


def _lan_text(situation: ListSituation) -> ListStatusText:
    if situation.is_searching_lan:
        return ListStatusText("lan", _("Searching the local network…"), _("Servers appear here as they answer."))
    why = _("No server of a known game answered on the local network.")
    return ListStatusText(
        "lan",
        _("No servers nearby"),
        why,
        (_("Search again"), SEARCH_LAN_ACTION),
        other_actions=((_("Show all servers"), ALL_SERVERS_ACTION),),
    )


def _all_hidden_text(situation: ListSituation) -> ListStatusText:
    number = len(situation.filters)
    what = ngettext("No server matches the filter", "No server matches all {n} filters", number).format(n=number)
    if number == 2:
        what = _("No server matches both filters")
    why = _("Each line shows how many servers come back without that filter.")
    text = ngettext(
        "{known} known servers, {n} favourite. The Favourites list always shows all favourites.",
        "{known} known servers, {n} favourites. The Favourites list always shows all favourites.",
        situation.favourite_count,
    )
    return ListStatusText(
        "filter",
        what,
        why,
        (ngettext("Clear the filter", "Clear all filters", number), CLEAR_FILTERS_ACTION),
        filters=tuple(situation.filters),
        note=text.format(known=integer_text(situation.known_count), n=integer_text(situation.favourite_count)),
    )


def _empty_list_text(listed: str) -> ListStatusText:
    actions = {ALL_LIST: (_("Refresh"), REFRESH_ACTION), FRIENDS_LIST: (_("Friends…"), FRIENDS_ACTION)}
    texts = {
        FAVOURITES_LIST: (
            "star",
            _("No favourites yet"),
            _("Click a server’s star or press {key} to add one.").format(key=shortcut_text("favourite")),
        ),
        RECENT_LIST: ("clock", _("No servers joined yet"), _("Servers you join appear here.")),
        FRIENDS_LIST: (
            "friend",
            _("No friends found"),
            _("Servers where a friend plays appear here."),
        ),
        BLOCKED_LIST: ("block", _("No servers blocked"), _("Blocked servers appear only here.")),
    }.get(listed, ("filter", _("No servers in this list"), _("They appear here when they answer.")))
    return ListStatusText(*texts, actions.get(listed, (_("Show all servers"), ALL_SERVERS_ACTION)))
