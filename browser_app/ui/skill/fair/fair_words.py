"""Sentences about a game to come, and a balance as text."""

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.rating.what_if import WhatIf
from browser_app.ui.skill.fair.even_teams import EvenTeams, Swap, by_team
from browser_app.ui.skill.fair.line_up import LineUp, Seat
from browser_app.ui.skill.fair.outlook import LEAST_KNOWN, Outlook, Side
from browser_app.ui.skill.numbers import chance_words, change_words, decimals_of, points_words
from browser_app.ui.skill.rounds.round_texts import reason_words
from browser_app.ui.skill.team_titles import numbered_title, team_title


def win_lose(what: WhatIf, system: str) -> str:
    """`win +9, lose −14`; of a round that would change nothing, why not."""
    if what.why is not None:
        return _("not rated: {why}").format(why=reason_words(what.why))
    won, lost = (_change(value, decimals_of(system)) for value in (what.win, what.lose))
    return _("win {won}, lose {lost}").format(won=won, lost=lost)


def _change(value: float, decimals: int) -> str:
    """With one more decimal where nothing is left without."""
    return change_words(value, decimals if round(value, decimals) else decimals + 1)


def known_words(outlook: Outlook) -> str:
    """`9 of 14 players known`."""
    if not outlook.players:
        return _("nobody else is there")
    words = ngettext("{n} of {total} player known", "{n} of {total} players known", outlook.players)
    return words.format(n=outlook.known, total=outlook.players)


def side_words(side: Side, system: str) -> str:
    """`Marines 44 %: win +9, lose −14`."""
    words = _("{team} {chance}: {changes}")
    return words.format(
        team=side_title(side), chance=chance_words(side.what.chance), changes=win_lose(side.what, system)
    )


def side_title(side: Side) -> str:
    """The team, or what the teams are like that were made."""
    if side.team:
        return team_title(side.team)
    if side.more:
        return _("One player more") if side.more > 0 else _("One player fewer")
    return _("Balanced teams")


def outlook_sentence(outlook: Outlook, server: str) -> str:
    """What can be said of the server's game, and what cannot."""
    if not outlook.players:
        return _("Nobody plays on {server} now.").format(server=server)
    if outlook.known < LEAST_KNOWN:
        words = _("{server}: {known} from your record. Paste the players, or pick a server with people you met.")
        return words.format(server=server, known=known_words(outlook))
    if not outlook.teams_told:
        words = _("{server} tells names only: {known} from your record, and balanced teams are assumed.")
        return words.format(server=server, known=known_words(outlook))
    return _("{server}: {known} from your record.").format(server=server, known=known_words(outlook))


def count_words(line_up: LineUp) -> str:
    """`14 players, 13 known from your record, 1 not`."""
    total, known = len(line_up.seats), line_up.known
    words = ngettext("{n} player", "{n} players", total).format(n=total)
    if not total:
        return _("nobody yet")
    if known == total:
        return _("{players}, all known from your record").format(players=words)
    return _("{players}, {known} known from your record, {unknown} not").format(
        players=words, known=known, unknown=total - known
    )


def chances_words(result: EvenTeams) -> str:
    """`79 % → 50 %`; one number where nobody stood on a team before and nobody has to change."""
    before = result.placed if result.before is None else result.before
    if result.before is None and not result.swaps:
        return chance_words(result.after)
    return f"{chance_words(before)} → {chance_words(result.after)}"


def swaps_words(result: EvenTeams) -> str:
    """`chance of the Marines, with 2 swaps (4 of 14 players move)`."""
    team, total = team_title(result.line_up.teams[0]) or _("first team"), len(result.line_up.seats)
    if not result.swaps and not result.moves:
        return _still_words(result, team)
    swaps = ngettext("{n} swap", "{n} swaps", len(result.swaps)).format(n=len(result.swaps))
    moves = ngettext("{moves} of {n} players moves", "{moves} of {n} players move", result.moves)
    words = _("chance of the {team}, with {swaps} ({moves})")
    return words.format(team=team, swaps=swaps, moves=moves.format(moves=result.moves, n=total))


def _still_words(result: EvenTeams, team: str) -> str:
    """Nobody who stood on a team changes it."""
    placed = sum(seat.team is None for seat in result.line_up.seats)
    if result.before is None:
        return _("chance of the {team} in the most even teams").format(team=team)
    if not placed:
        return _("chance of the {team}; nobody has to move").format(team=team)
    words = _("chance of the {team}; {n} placed, nobody has to move")
    return words.format(team=team, n=placed)


def swap_words(swap: Swap, line_up: LineUp) -> str:
    """`ninepin for osprey 9`."""
    names = {seat.id: _name(seat, line_up) for seat in line_up.seats}
    return _("{comes} for {goes}").format(comes=names[swap.comes], goes=names[swap.goes])


def step_words(swap: Swap) -> str:
    """`79 % → 55 %`, finer where that would say nothing."""
    decimals = int(chance_words(swap.before) == chance_words(swap.after))
    return f"{chance_words(swap.before, decimals)} → {chance_words(swap.after, decimals)}"


def end_words(result: EvenTeams, system: str) -> str:
    """`No further swap brings it nearer to even.`, and what the round would do to my rating."""
    sentences = [_("No further swap brings it nearer to even.")]
    mine, line_up = result.mine, result.line_up
    if mine is not None and mine.why is not None:
        sentences.append(_("It would not be rated: {why}.").format(why=reason_words(mine.why)))
    elif mine is not None:
        decimals = decimals_of(system) + 1
        words = _("For you: a win would give {won}, a loss {lost} ({team}, whole round).")
        team = line_up.teams[int(line_up.me in result.teams[1])]
        won, lost = change_words(mine.win, decimals), change_words(mine.lose, decimals)
        sentences.append(words.format(won=won, lost=lost, team=team))
    return " ".join(sentences)


def mean_words(result: EvenTeams, team: int, system: str) -> str:
    """`mean 1 691`."""
    mean = result.mean(team)
    return "" if mean is None else _("mean {points}").format(points=points_words(mean, decimals_of(system)))


def points_text(seat: Seat, result: EvenTeams, system: str) -> str:
    """`1 690`, with `~` for a newcomer's."""
    return ("" if seat.known else "~") + points_words(result.points[seat.id], decimals_of(system))


def _name(seat: Seat, line_up: LineUp) -> str:
    return _("you") if seat.id == line_up.me else seat.name


def as_text(result: EvenTeams, system: str) -> str:
    """The teams for a chat; pasted again it is the same line-up."""
    blocks = []
    for team in (0, 1):
        title = numbered_title(result.line_up.teams[team], team)
        lines = [f"{title} ({mean_words(result, team, system)})"]
        lines += [f"{seat.name}  {points_text(seat, result, system)}" for seat in by_team(result, team)]
        blocks.append("\n".join(lines))
    first = team_title(result.line_up.teams[0]) or _("first team")
    before = result.placed if result.before is None else result.before
    chances = "# " + _("Chance of the {team}: {before} → {after}")
    blocks.append(chances.format(team=first, before=chance_words(before), after=chance_words(result.after)))
    return "\n\n".join(blocks)
