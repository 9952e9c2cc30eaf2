"""What is said when the list is not simply live: a line above the rows, or a page in their place, and one next step."""

from collections.abc import Sequence
from dataclasses import dataclass

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.chip import ChipState
from browser_app.ui.lists import ALL, BLOCKED, FAVOURITES, FRIENDS, LAN, RECENT
from browser_app.ui.texts import age_text, thousands

REFRESH, ALL_SERVERS, CLEAR, KEY, LOOK, ADDRESS = "refresh", "all", "clear", "key", "lan", "address"
"""What a step does: ask everybody, show all servers, take the filters away, add a key, look on the local network, add
a server by its address."""


@dataclass(frozen=True)
class ListFacts:
    """All that decides it."""

    known: int
    shown: int
    in_list: int
    """Servers of the list shown, whether they pass the filters or not."""
    favourites: int
    listed: str
    running: bool
    remembering: bool
    asked: bool
    network_down: bool
    remembered: int
    age_s: float | None
    """The newest remembered row's."""
    done: int = 0
    """Servers whose question has ended, of `targets`."""
    targets: int = 0
    failures: Sequence[str] = ()
    filters: Sequence[ChipState] = ()
    """Those in force."""
    lacking_key: Sequence[str] = ()
    """Names of games that cannot be listed without a key: of the list's game, or of all where nothing is known."""
    looking: bool = False
    """The local network is being asked."""


@dataclass(frozen=True)
class Words:
    """What is so, why, and the steps; `does` of each is one of those above."""

    icon: str
    what: str
    why: str
    step: tuple[str, str] | None = None
    role: str = "text2"
    others: tuple[tuple[str, str], ...] = ()
    """Steps besides: words and what they do."""
    filters: tuple[ChipState, ...] = ()
    note: str = ""
    share: float | None = None
    """Of what is being done, how much is."""


def line_of(facts: ListFacts) -> Words | None:
    """The line above the rows, None for none."""
    if not facts.shown:
        return None
    if facts.network_down:
        why = _("The rows stay as they are. Scanning goes on by itself.")
        if facts.remembered and facts.age_s is not None:
            why = _("These rows are {age} old. Scanning goes on by itself.").format(age=age_text(facts.age_s))
        return Words("off", _("No network."), why, (_("Try now"), REFRESH), "warning")
    if facts.remembered and facts.age_s is not None and (facts.running or facts.remembered == facts.known):
        what = _("Remembered from last time, {age} ago.").format(age=age_text(facts.age_s))
        fresh = facts.known - facts.remembered
        why = _("Fresh: {n} of {known}.").format(n=thousands(fresh), known=thousands(facts.known))
        return Words("clock", what, why, share=fresh / facts.known)
    return None


def page_of(facts: ListFacts) -> Words | None:
    """The page where there are no rows, or under few of them; None where the rows say enough."""
    if facts.shown:
        return _more_to_come(facts)
    if facts.network_down:
        why = _("Nothing can be asked. Scanning goes on by itself.")
        return Words("off", _("No network."), why, (_("Try now"), REFRESH), "warning")
    if facts.lacking_key and not facts.running:
        return _no_key(facts.lacking_key)
    if facts.listed == LAN:
        return _lan(facts)
    if not facts.known or (facts.listed == ALL and facts.running and not facts.in_list):
        return _nothing_known(facts)
    if facts.in_list:
        return _all_hidden(facts)
    return _empty_list(facts.listed)


def _more_to_come(facts: ListFacts) -> Words | None:
    left = facts.targets - facts.done
    if not facts.running or left <= 0:
        return None
    what = ngettext("{n} more server is being asked", "{n} more servers are being asked", left)
    why = _("Rows keep their place once you point at them.")
    return Words("", what.format(n=thousands(left)), why, share=facts.done / facts.targets)


def _nothing_known(facts: ListFacts) -> Words:
    if facts.remembering:
        return Words("clock", _("Reading the list from last time…"), _("Its servers come back marked old."))
    if facts.running:
        return Words("globe", _("Asking the masters…"), _("The list fills as servers answer."))
    if not facts.asked:
        return Words("globe", _("No servers yet."), _("Nobody has been asked."), (_("Refresh"), REFRESH))
    why = facts.failures[0] if facts.failures else _("No master listed a server.")
    return Words("off", _("No servers."), why, (_("Try again"), REFRESH), "warning")


def _no_key(games: Sequence[str]) -> Words:
    many = _("{n} games need a Steam Web API key").format(n=len(games))
    return Words(
        "key",
        _("{game} needs a Steam Web API key").format(game=games[0]) if len(games) == 1 else many,
        _(
            "Valve gives its list of servers only with a key. It is free, takes a minute, "
            "and is kept in the secret store of this computer."
        ),
        (_("Add a key…"), KEY),
        others=((_("Add a server by address"), ADDRESS), (_("Look on the LAN"), LOOK)),
        note=_("Servers you know by address are asked anyway."),
    )


def _lan(facts: ListFacts) -> Words:
    if facts.looking:
        return Words("lan", _("Looking on the local network…"), _("Servers stand here as they answer."))
    why = _("No server of a known game answered on the local network.")
    return Words(
        "lan", _("No server nearby."), why, (_("Look again"), LOOK), others=((_("Show all servers"), ALL_SERVERS),)
    )


def _all_hidden(facts: ListFacts) -> Words:
    number = len(facts.filters)
    what = ngettext("No server passes the filter", "No server passes all {n} filters", number).format(n=number)
    why = _("Each line says how many would come back if only that one were off.")
    words = _("{known} servers known, {n} favourites. Favourites are never hidden in their own list.")
    return Words(
        "filter",
        what,
        why,
        (ngettext("Clear the filter", "Clear all filters", number), CLEAR),
        filters=tuple(facts.filters),
        note=words.format(known=thousands(facts.known), n=thousands(facts.favourites)),
    )


def _empty_list(listed: str) -> Words:
    step = (_("Refresh"), REFRESH) if listed == ALL else (_("Show all servers"), ALL_SERVERS)
    words = {
        FAVOURITES: ("star", _("No favourites yet."), _("A click on a server's star or F adds one.")),
        RECENT: ("clock", _("Nothing played yet."), _("Servers that you join stand here.")),
        FRIENDS: ("friend", _("No friend is seen."), _("Servers whose player list names a friend stand here.")),
        BLOCKED: ("block", _("No server is blocked."), _("Blocked servers stand here and nowhere else.")),
    }.get(listed, ("filter", _("No server is in this list."), _("They stand here when they answer.")))
    return Words(*words, step)
