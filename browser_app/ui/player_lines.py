"""Who is on a server, as lines: teams, then bots, then spectators apart, adding up to the row in the table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from browser_app.catalogue.facts import Facts, PlayerRow
from browser_app.language import gettext as _
from browser_app.language import later, ngettext
from browser_app.ui.texts import UNKNOWN, clock

_TEAMS = {1: later("Red"), 2: later("Blue"), 3: later("Yellow"), 4: later("Pink")}
FriendOf: TypeAlias = Callable[[PlayerRow], str | None]
"""The user's group of friends that a player is in."""

GROUP_WORDS = {"friends": later("friend"), "team": later("team mate"), "others": later("known")}
"""What a player of a group of friends is called."""


@dataclass(frozen=True)
class PlayerLine:
    """A player, or a group's title; texts as they are shown."""

    name: str
    score: str
    last: str
    """How long the player is here, or the ping; of a title the summary."""
    title: bool = False
    group: str | None = None
    """The user's group of friends that the player is in."""
    best: bool = False
    """Nobody who plays has a higher score."""
    bot: bool = False

    @property
    def shown(self) -> str:
        """The name, or a word in its place: not every game tells names."""
        return self.name or _("no name")

    @property
    def can_be_friend(self) -> bool:
        """It is somebody, and known by a name."""
        return bool(self.name) and not self.bot and not self.title

    @property
    def marks(self) -> str:
        """What is to be known besides, in words."""
        words = [_(GROUP_WORDS.get(self.group, self.group))] if self.group else []
        return ", ".join([*words, _("best")] if self.best else words)

    @property
    def text(self) -> str:
        """The line in words."""
        if self.title:
            return f"{self.name}, {self.last}"
        name = f"{self.shown} ({self.marks})" if self.marks else self.shown
        return f"{name} {self.score} {self.last}"


def lines_of(players: Sequence[PlayerRow], friend_of: FriendOf, *, team_names: bool, times: bool) -> list[PlayerLine]:
    """All lines. `times`: show how long players are here, else their pings."""
    top = max((player.score or 0.0 for player in players if _plays(player)), default=0.0)
    lines = []
    for title, group in groups_of(players, team_names=team_names):
        lines.append(PlayerLine(title, "", summary(group), title=True))
        lines.extend(
            PlayerLine(
                player.name,
                _number(player.score),
                _time(player) if times else _number(player.ping_ms),
                group=friend_of(player),
                best=_plays(player) and top > 0.0 and player.score == top,
                bot=bool(player.bot),
            )
            for player in group
        )
    return lines


def groups_of(players: Sequence[PlayerRow], *, team_names: bool) -> list[tuple[str, list[PlayerRow]]]:
    """Players by team (best score first), then bots, then spectators; each group with its title."""

    def place(player: PlayerRow) -> tuple[int, int]:
        if player.spectator:
            return 2, 0
        return (1, 0) if player.bot else (0, player.team or 0)

    def title(key: tuple[int, int]) -> str:
        if key[0]:
            return _("Bots") if key[0] == 1 else _("Spectators")
        if not key[1]:
            return _("Playing")
        if team_names and key[1] in _TEAMS:
            return _(_TEAMS[key[1]])
        return _("Team {n}").format(n=key[1])

    ranked = sorted(players, key=lambda player: (*place(player), -(player.score or 0.0), player.name.casefold()))
    return [(title(key), list(group)) for key, group in groupby(ranked, key=place)]


def summary(players: Sequence[PlayerRow]) -> str:
    """A group in words: `5 players, 92 points` of a team; bots and spectators do not count as players."""
    if not _plays(players[0]):
        return _("{n}, not counted").format(n=len(players))
    many = ngettext("{n} player", "{n} players", len(players)).format(n=len(players))
    if not players[0].team:
        return many
    points = sum(player.score or 0.0 for player in players)
    return _("{players}, {n} points").format(players=many, n=f"{points:.0f}")


def headline(facts: Facts | None, *, asking: bool) -> str:
    """How many play, and what is free; or why nobody is shown."""
    if facts is None:
        return _("Asking…") if asking else _("No answer yet.")
    if facts.player_list is None:
        return _("Asking who is on…") if asking else _("This server does not publish names.")
    parts = [_("{n} playing").format(n=UNKNOWN if facts.players is None else facts.players)]
    if facts.bots:
        parts.append(ngettext("{n} bot", "{n} bots", facts.bots).format(n=facts.bots))
    if facts.spectators:
        parts.append(ngettext("{n} spectator", "{n} spectators", facts.spectators).format(n=facts.spectators))
    sentences = [f"{', '.join(parts)}."]
    slots = None if facts.max_players is None else facts.max_players - (facts.reserved or 0)
    if slots is not None and facts.players is not None:
        free = max(0, slots - facts.players)
        sentences.append(ngettext("{n} slot free.", "{n} slots free.", free).format(n=free))
    if facts.players and not asking and not any(player.name and not player.bot for player in facts.player_list):
        sentences.append(_("It names nobody."))
    return " ".join(sentences)


def _plays(player: PlayerRow) -> bool:
    return not (player.bot or player.spectator)


def _number(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.0f}"


def _time(player: PlayerRow) -> str:
    return UNKNOWN if player.stay_s is None else clock(player.stay_s)
