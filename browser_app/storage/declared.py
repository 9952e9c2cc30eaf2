"""All settings, declared once. Every default is chosen so that nobody must change it."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from browser_app.catalogue.filter_language import parse_filter
from browser_app.language import gettext, later
from browser_app.storage.setting import Setting, choice, number, numbers_by_name, switch, text, texts, texts_by_name


def _country(code: str) -> None:
    """Two letters or nothing."""
    if not re.fullmatch(r"([A-Za-z]{2})?", code):
        raise ValueError(gettext("Two letters, as in DE"))


def _page(address: str) -> None:
    """An address whose page nobody on the way can change, or nothing."""
    parts = urlsplit(address)
    if address and not (parts.hostname and (parts.scheme == "https" or parts.hostname in ("localhost", "127.0.0.1"))):
        raise ValueError(gettext("An address that begins with https://"))


PACE = choice(
    "scan.pace",
    "normal",
    {
        "gentle": later("Gentle: 75 a second"),
        "normal": later("Normal: 300 a second"),
        "fast": later("Fast: 1,000 a second"),
    },
    later("Scanning speed"),
    later("How many packets are sent. Choose gentle if your router stalls while the list loads."),
)
SCAN_AT_START = switch(
    "scan.at_start",
    True,
    later("Ask at the start"),
    later("The list is refreshed when the window opens; otherwise it shows what was known until you refresh."),
)
PAUSE_IN_GAME = switch(
    "scan.pause_in_game",
    True,
    later("No scanning during a game"),
    later("While a game that was started from here runs, nobody is asked; the list is refreshed when it has ended."),
)
GAMES = texts(
    "games.shown",
    later("Games"),
    later("The games whose servers are listed. With none chosen, all are."),
    of_games=True,
)
EXTRA_MASTERS = texts(
    "games.masters",
    later("Other master servers"),
    later("Addresses of more lists, one a line; the master servers have a page of their own too."),
)
MASTERS_OFF = texts(
    "games.masters_off",
    later("Master servers not asked"),
    later("Addresses of the games' own master servers that are left out, one a line."),
)
OWN_VERSIONS = texts_by_name(
    "games.own_versions",
    later("My versions"),
    later("The version of your own game, where you want to be told before you join a server of another one."),
    of_games=True,
)
PRESET = choice(
    "ranking.preset",
    "own",
    {
        "own": later("Each game's own numbers"),
        "blog": later("The NS2 formula as published"),
        "in-game": later("The NS2 formula as in the game"),
    },
    later("Score"),
    later("The numbers that the score of a server is worked out with."),
)
MY_SKILL = numbers_by_name(
    "ranking.my_skill",
    later("My skill"),
    later("Your skill in points by game, where it is not read from somewhere else."),
    of_games=True,
)
PLAY_FILTER = text(
    "play_now.filter",
    "",
    later("Play Now looks at"),
    later("A filter that servers must pass before Play Now chooses them, as in “ping<80 -full”; empty is all."),
    parse_filter,
)
COUNTDOWN_S = number(
    "play_now.countdown",
    1.2,
    0.0,
    10.0,
    later("Countdown"),
    later("Seconds between the choice and the start of the game, in which you can cancel."),
)
WHEN_SLOT_FREE = choice(
    "joining.when_slot_free",
    "join",
    {"join": later("Join at once"), "tell": later("Tell me")},
    later("When a slot is free"),
    later("How waiting for a slot ends."),
)
THEME = choice(
    "window.theme",
    "system",
    {
        "system": later("As the system"),
        "light": later("Light"),
        "dark": later("Dark"),
        "contrast": later("High contrast"),
    },
    later("Colours"),
    later("Which palette is used. “As the system” follows it while the window is open."),
)
ROWS = choice(
    "window.rows",
    "automatic",
    {
        "automatic": later("By the window's height"),
        "comfortable": later("Comfortable"),
        "compact": later("Compact"),
    },
    later("Row height"),
    later("Compact rows show a quarter more servers; small windows have them by themselves."),
)
INSPECTOR = choice(
    "window.inspector",
    "right",
    {"right": later("Right of the list"), "below": later("Below the list")},
    later("Inspector"),
    later("Where the selected server is explained."),
)
LANGUAGE = choice(
    "window.language",
    "system",
    {"system": later("As the system"), "en": "English", "de": "Deutsch"},
    later("Language"),
    later("Of all texts. The window is set up anew in it, and goes on where it was."),
)
SCALE = number(
    "window.scale",
    100.0,
    50.0,
    300.0,
    later("Size, %"),
    later("Of all letters and pictures, besides the system's own scaling. The window is set up anew for it."),
)
FRIENDS = texts(
    "player.friends",
    later("Friends"),
    later("Names of players to look out for, one a line; * stands for any text."),
)
COUNTRY = text(
    "player.country",
    "",
    later("My country"),
    later(
        "Two letters, as in DE: tells when a ping is too short for the way to a server. Empty is the system's region."
    ),
    _country,
)
TELL_FRIENDS = switch(
    "player.tell_friends",
    False,
    later("Tell me of friends"),
    later(
        "When one comes on, on whichever server. For that your favourites, and servers where a friend is, are asked"
        " once a minute."
    ),
)
ASK_STEAM = switch(
    "player.ask_steam",
    False,
    later("My NS2 skill from Steam"),
    later(
        "Once an hour Steam is asked for the skill that NS2 itself keeps of you. Needs a Web API key, and a profile"
        " whose game details are public."
    ),
)
ASK_XONSTAT = switch(
    "player.ask_xonstat",
    False,
    later("My Xonotic skill from XonStat"),
    later("Once an hour stats.xonotic.org is asked for your skill; it is sent the fingerprint of your public key."),
)
FORECAST_COUNTS = switch(
    "ranking.forecast",
    False,
    later("The forecast counts"),
    later("What is likely in 30 minutes is a factor of the score, from half to twice, where the history supports it."),
)
HISTORY_MB = number(
    "history.megabytes",
    200.0,
    10.0,
    2000.0,
    later("Size of the history, MB"),
    later("What players and pings of all servers over time may take on the disk; beyond that old ones get coarser."),
)
RELEASES = text(
    "updates.address",
    "",
    later("Look for new versions at"),
    later(
        "A web page that names the newest version, asked once a day. You are told, and nothing is downloaded."
        " Empty asks nobody."
    ),
    _page,
)

SETTINGS: tuple[Setting[Any], ...] = (
    THEME,
    ROWS,
    INSPECTOR,
    LANGUAGE,
    SCALE,
    COUNTRY,
    TELL_FRIENDS,
    ASK_STEAM,
    ASK_XONSTAT,
    PLAY_FILTER,
    COUNTDOWN_S,
    WHEN_SLOT_FREE,
    MY_SKILL,
    PRESET,
    FORECAST_COUNTS,
    GAMES,
    EXTRA_MASTERS,
    MASTERS_OFF,
    OWN_VERSIONS,
    PACE,
    SCAN_AT_START,
    PAUSE_IN_GAME,
    HISTORY_MB,
    RELEASES,
)
"""In the order in which they are shown; those of a group stand together."""

FORMER: tuple[Setting[Any], ...] = (FRIENDS,)
"""Settings of older programs, which are read and moved to where their values belong now."""

GROUPS: Mapping[str, str] = {
    "window": later("Window"),
    "player": later("About me"),
    "play_now": later("Play Now"),
    "joining": later("Joining"),
    "ranking": later("Score"),
    "games": later("Games and master servers"),
    "scan": later("Scanning"),
    "history": later("History"),
    "updates": later("New versions"),
}
"""Titles by table, in the order in which they are shown."""
