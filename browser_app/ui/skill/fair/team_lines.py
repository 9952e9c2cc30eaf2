"""The lines of a team: each player's points, and the mark of why he moves or may not."""

from collections.abc import Mapping

from browser_app.language import gettext as _
from browser_app.ui.skill.fair.even_teams import EvenTeams, by_team
from browser_app.ui.skill.fair.fair_words import points_text
from browser_app.ui.skill.fair.line_up import Seat
from browser_app.ui.skill.fair.team_model import TeamLine


def team_lines(result: EvenTeams, team: int, system: str) -> list[TeamLine]:
    """Who is on a team now, the strongest first."""
    swaps = {player: place for place, swap in enumerate(result.swaps, 1) for player in (swap.comes, swap.goes)}
    return [_line(seat, result, team, swaps, system) for seat in by_team(result, team)]


def _line(seat: Seat, result: EvenTeams, team: int, swaps: Mapping[str, int], system: str) -> TeamLine:
    me = seat.id == result.line_up.me
    moves = seat.team is not None and seat.team != team
    notes, icon = [], ""
    if seat.locked:
        notes, icon = [_("locked")], "lock"
    elif seat.commands:
        notes, icon = [_("commands")], "gauge"
    elif moves and seat.id in swaps:
        notes, icon = [_("swap {n}").format(n=swaps[seat.id])], "swap"
    elif moves:
        notes, icon = [_("moves, for the sizes")], "swap"
    elif seat.wishes is not None:
        icon = "flag"
    if seat.wishes is not None:
        notes.append(_("wants this side") if seat.wishes == team else _("wants the other side"))
    if seat.friend:
        notes.append(_("friend"))
    if not seat.known:
        notes.append(_("no rounds: start value"))
    name = _("you") if me else seat.name
    return TeamLine(seat.id, name, ", ".join(notes), icon, points_text(seat, result, system), me, moves)
