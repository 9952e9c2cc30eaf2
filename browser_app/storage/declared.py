"""All settings, declared once. Every default is chosen so that nobody must change it."""

from typing import Any

from browser_app.catalogue.filter_language import parse_filter
from browser_app.storage.setting import Setting, choice, number, numbers_by_name, switch, text, texts, texts_by_name

PACE = choice(
    "scan.pace",
    "normal",
    ("gentle", "normal", "fast"),
    "Scanning speed",
    "How many packets a second are sent: 75, 300 or 1,000. Choose gentle if your router stalls while the list loads.",
)
SCAN_AT_START = switch(
    "scan.at_start",
    True,
    "Ask at the start",
    "The list is refreshed when the window opens; otherwise it shows what was known last time until you refresh.",
)
GAMES = texts("games.shown", "Games", "The games whose servers are listed; an empty list is all of them.")
EXTRA_MASTERS = texts(
    "games.masters",
    "Other master servers",
    "Addresses of more lists, as the command line takes them with --master.",
)
PRESET = choice(
    "ranking.preset",
    "own",
    ("own", "blog", "in-game"),
    "Score",
    "Each game's own numbers, or one of the two known forms of the NS2 formula for all games.",
)
MY_SKILL = numbers_by_name(
    "ranking.my_skill", "My skill", "Your skill in points by game, where it is not read from somewhere else."
)
PLAY_FILTER = text(
    "play_now.filter",
    "",
    "Play Now looks at",
    "A filter that servers must pass before Play Now chooses them; empty is all.",
    parse_filter,
)
COUNTDOWN_S = number(
    "play_now.countdown",
    1.2,
    0.0,
    10.0,
    "Countdown",
    "Seconds between the choice and the start of the game, in which you can cancel.",
)
OWN_VERSIONS = texts_by_name(
    "games.own_versions",
    "My versions",
    "The version of your own game by game, where you want to be told before you join a server of another one.",
)
WHEN_SLOT_FREE = choice(
    "joining.when_slot_free",
    "join",
    ("join", "tell"),
    "When a slot is free",
    "Whether waiting for a slot ends with joining at once, or with telling you.",
)
PAUSE_IN_GAME = switch(
    "scan.pause_in_game",
    True,
    "No scanning during a game",
    "While a game that was started from here runs, nobody is asked; the list is refreshed when it has ended.",
)
THEME = choice("window.theme", "system", ("system", "light", "dark", "contrast"), "Colours", "Which palette is used.")
FRIENDS = texts("player.friends", "Friends", "Names of players to look out for; * stands for any text.")

SETTINGS: tuple[Setting[Any], ...] = (
    PACE,
    SCAN_AT_START,
    GAMES,
    EXTRA_MASTERS,
    PRESET,
    MY_SKILL,
    PLAY_FILTER,
    COUNTDOWN_S,
    WHEN_SLOT_FREE,
    PAUSE_IN_GAME,
    OWN_VERSIONS,
    THEME,
    FRIENDS,
)
"""In the order in which they are shown."""
