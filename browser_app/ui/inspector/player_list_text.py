"""Rows and texts of a server's player list."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from browser_app.catalogue.server_info import PlayerInfo, ServerInfo
from browser_app.catalogue.server_value_text import UNKNOWN_VALUE
from browser_app.language import N_, ngettext
from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.ui.widgets.value_text import duration_text

FriendLookup: TypeAlias = Callable[[PlayerInfo], str | None]
"""Returns the user's friend group of a player, None if they are in none."""

FRIEND_GROUP_LABELS = {"friends": N_("friend"), "team": N_("teammate"), "others": N_("known")}
"""Labels of players in the friend groups."""


@dataclass(frozen=True)
class PlayerLine:
    """A player or the heading of a group, as shown."""

    name: str
    score: str
    time_or_ping: str
    """Time on the server or ping; a heading's summary."""
    is_heading: bool = False
    group: str | None = None
    """The user's friend group of the player."""
    is_best: bool = False
    """No one who is playing has a higher score."""
    is_bot: bool = False

    @property
    def title(self) -> str:
        """The name, or a placeholder: some games report no names."""
        return self.name or _("no name")

    @property
    def can_be_friend(self) -> bool:
        """Whether the player is a human with a name."""
        return bool(self.name) and not self.is_bot and not self.is_heading

    @property
    def marks_text(self) -> str:
        """Friend label and "best", as text."""
        marks = [_(FRIEND_GROUP_LABELS.get(self.group, self.group))] if self.group else []
        return ", ".join([*marks, _("best")] if self.is_best else marks)

    @property
    def accessible_text(self) -> str:
        """The whole row as text."""
        if self.is_heading:
            return f"{self.name}, {self.time_or_ping}"
        name = f"{self.title} ({self.marks_text})" if self.marks_text else self.title
        return f"{name} {self.score} {self.time_or_ping}"


def player_lines(
    players: Sequence[PlayerInfo], friend_of: FriendLookup, *, team_names: Mapping[int, str], times: bool
) -> list[PlayerLine]:
    """Return all rows; `times` selects time on the server instead of ping."""
    top = max((player.score or 0.0 for player in players if _is_playing(player)), default=0.0)
    lines = []
    for title, group in group_players(players, team_names=team_names):
        lines.append(PlayerLine(title, "", group_summary(group), is_heading=True))
        lines.extend(
            PlayerLine(
                player.name,
                _number_text(player.score),
                _time_text(player) if times else _number_text(player.ping_ms),
                group=friend_of(player),
                is_best=_is_playing(player) and top > 0.0 and player.score == top,
                is_bot=bool(player.bot),
            )
            for player in group
        )
    return lines


def group_players(
    players: Sequence[PlayerInfo], *, team_names: Mapping[int, str]
) -> list[tuple[str, list[PlayerInfo]]]:
    """Return titles and players of the groups.

    These are teams (best score first), bots, spectators.
    """

    def place(player: PlayerInfo) -> tuple[int, int]:
        if player.spectator:
            return 2, 0
        return (1, 0) if player.bot else (0, player.team or 0)

    def title(key: tuple[int, int]) -> str:
        if key[0]:
            return _("Bots") if key[0] == 1 else _("Spectators")
        if not key[1]:
            return _("Players")
        if key[1] in team_names:
            return _(team_names[key[1]])
        return _("Team {n}").format(n=key[1])

    ranked = sorted(players, key=lambda player: (*place(player), -(player.score or 0.0), player.name.casefold()))
    return [(title(key), list(group)) for key, group in groupby(ranked, key=place)]


def group_summary(players: Sequence[PlayerInfo]) -> str:
    """Return a group's summary, such as `5 players, 92 points`.

    Bots and spectators do not count as players.
    """
    if not _is_playing(players[0]):
        return _("{n}, not counted").format(n=len(players))
    many = ngettext("{n} player", "{n} players", len(players)).format(n=len(players))
    if not players[0].team:
        return many
    points = sum(player.score or 0.0 for player in players)
    text = ngettext("{players}, {n} point", "{players}, {n} points", round(points))
    return text.format(players=many, n=integer_text(points))


def players_headline(info: ServerInfo | None, *, is_querying: bool) -> str:
    """Return how many are playing, the free slots and the players' average skill.

    If no players are listed, return why.
    """
    if info is None:
        return _("Loading…") if is_querying else _("No answer yet.")
    if info.player_list is None:
        return _("Loading players…") if is_querying else _("No player list from this server.")
    parts = [_("{n} playing").format(n=UNKNOWN_VALUE if info.players is None else info.players)]
    if info.bots:
        parts.append(ngettext("{n} bot", "{n} bots", info.bots).format(n=info.bots))
    if info.spectators:
        parts.append(ngettext("{n} spectator", "{n} spectators", info.spectators).format(n=info.spectators))
    sentences = [f"{', '.join(parts)}."]
    if info.usable_slots is not None and info.players is not None:
        free = 0 if info.joinable is False else max(0, info.usable_slots - info.players)
        sentences.append(ngettext("{n} slot free.", "{n} slots free.", free).format(n=free))
    if info.players and not is_querying and not any(player.name and not player.bot for player in info.player_list):
        sentences.append(_("No player names available."))
    if info.players and info.server_skill is not None:
        sentences.append(_("Average skill {points}.").format(points=integer_text(info.server_skill)))
    return " ".join(sentences)


def _is_playing(player: PlayerInfo) -> bool:
    return not (player.bot or player.spectator)


def _number_text(value: float | None) -> str:
    return UNKNOWN_VALUE if value is None else integer_text(value)


def _time_text(player: PlayerInfo) -> str:
    return UNKNOWN_VALUE if player.time_on_server_s is None else duration_text(player.time_on_server_s)
