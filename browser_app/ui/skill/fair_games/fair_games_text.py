"""Texts about predicted games and balanced teams."""

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.balanced_teams import BalancedTeams, TeamSwap, sort_players_by_rating
from browser_app.player.game_prediction import MIN_KNOWN_PLAYERS, GamePrediction, SidePrediction
from browser_app.player.team_lineup import BalanceLineup, LineupPlayer, format_team_title
from browser_app.rating.matchmaking.what_if import WhatIfResult
from browser_app.ui.skill.rating_format import (
    format_chance,
    format_change,
    format_points,
    rating_decimals,
    team_title,
)
from browser_app.ui.skill.rounds.round_result_text import unrated_reason_text


def win_loss_change_text(forecast: WhatIfResult, system: str) -> str:
    """Return `win +9, loss −14`, or why the round would not be rated."""
    if forecast.skip_reason is not None:
        return _("not rated: {why}").format(why=unrated_reason_text(forecast.skip_reason))
    won, lost = _win_and_loss(forecast, system)
    return _("win {won}, loss {lost}").format(won=won, lost=lost)


def _win_and_loss(forecast: WhatIfResult, system: str) -> tuple[str, str]:
    decimals = rating_decimals(system)
    return _format_small_change(forecast.win, decimals), _format_small_change(forecast.lose, decimals)


def _format_small_change(value: float, decimals: int) -> str:
    """Format a change, with one more decimal if it would otherwise round to zero."""
    shown_decimals = decimals if round(value, decimals) else decimals + 1
    return format_change(value, shown_decimals) if round(value, shown_decimals) else "0"


def known_players_text(prediction: GamePrediction) -> str:
    """Return `9 of 14 players known`."""
    if not prediction.player_count:
        return _("no other players")
    words = ngettext("{n} of {total} player known", "{n} of {total} players known", prediction.player_count)
    return words.format(n=prediction.known_count, total=prediction.player_count)


def side_text(side: SidePrediction, system: str) -> str:
    """Return `44 % (Marines): win +9, loss −14`."""
    team = team_title(side.team) if side.team else _teams_note(side)
    chance = format_chance(side.forecast.chance)
    if side.forecast.skip_reason is not None:
        why = unrated_reason_text(side.forecast.skip_reason)
        return _("{chance} ({team}), not rated: {why}").format(team=team, chance=chance, why=why)
    won, lost = _win_and_loss(side.forecast, system)
    return _("{chance} ({team}): win {won}, loss {lost}").format(team=team, chance=chance, won=won, lost=lost)


def side_title(side: SidePrediction) -> str:
    """Return the team's name, or a description of the balanced teams."""
    if side.team:
        return team_title(side.team)
    if side.size_difference:
        return _("One player up") if side.size_difference > 0 else _("One player down")
    return _("Balanced teams")


def _teams_note(side: SidePrediction) -> str:
    """Return the description of the balanced teams, to stand in brackets."""
    if side.size_difference:
        return _("one player up") if side.size_difference > 0 else _("one player down")
    return _("balanced teams")


def prediction_text(prediction: GamePrediction, server: str) -> str:
    """Return how many players of a server are known, and how good a prediction is."""
    if not prediction.player_count:
        return _("No players on “{server}” right now.").format(server=server)
    words = ngettext(
        "{server}: {known} of {n} player known from your rounds.",
        "{server}: {known} of {n} players known from your rounds.",
        prediction.player_count,
    )
    sentences = [words.format(server=server, known=prediction.known_count, n=prediction.player_count)]
    if prediction.known_count < MIN_KNOWN_PLAYERS:
        sentences.append(_("Paste players, or select a server with players you have met."))
    elif not prediction.are_teams_known:
        sentences.append(_("The server reports names only, so balanced teams are assumed."))
    return " ".join(sentences)


def player_count_text(lineup: BalanceLineup) -> str:
    """Return `14 players, 13 known from your rounds`."""
    total, known = len(lineup.players), lineup.known_count
    if not total:
        return _("no players yet")
    words = ngettext("{n} player, {known} known from your rounds", "{n} players, {known} known from your rounds", total)
    return words.format(n=total, known=known)


def chances_text(result: BalancedTeams) -> str:
    """Return `79 % → 50 %`, or one number.

    It is one if there were no teams before and no swaps are needed.
    """
    if result.initial_chance is None and not result.swaps:
        return format_chance(result.final_chance)
    return f"{format_chance(result.chance_before)} → {format_chance(result.final_chance)}"


def swaps_summary_text(result: BalancedTeams) -> str:
    """Return a text like `win chance after 2 swaps (4 of 14 players move)`.

    It also counts those assigned to a team, if there are any.
    """
    team, total = team_title(result.lineup.teams[0]) or _("team 1"), len(result.lineup.players)
    if not result.swaps and not result.moved_count:
        return _no_swaps_text(result, team)
    words = ngettext("win chance for {team} after {n} swap", "win chance for {team} after {n} swaps", len(result.swaps))
    moves = ngettext("{moves} of {n} players moves", "{moves} of {n} players move", result.moved_count)
    chance = words.format(team=team, n=len(result.swaps))
    template = _("{chance} ({moves}; {n} assigned)") if _placed_count(result) else "{chance} ({moves})"
    moves = moves.format(moves=result.moved_count, n=total)
    return template.format(chance=chance, moves=moves, n=_placed_count(result))


def _placed_count(result: BalancedTeams) -> int:
    """Return how many players were on no team while others were."""
    return 0 if result.initial_chance is None else sum(entry.team is None for entry in result.lineup.players)


def _no_swaps_text(result: BalancedTeams, team: str) -> str:
    placed = _placed_count(result)
    if result.initial_chance is None:
        return _("win chance for {team} in the most even teams").format(team=team)
    if not placed:
        return _("win chance for {team}; no moves needed").format(team=team)
    words = _("win chance for {team}; {n} assigned, no moves needed")
    return words.format(team=team, n=placed)


def swap_text(swap: TeamSwap, lineup: BalanceLineup) -> str:
    """Return `ninepin for osprey 9`."""
    names = {entry.id: _player_name(entry, lineup) for entry in lineup.players}
    return _("{comes} for {goes}").format(comes=names[swap.incoming], goes=names[swap.outgoing])


def swap_chance_text(swap: TeamSwap) -> str:
    """Return `79 % → 55 %`, with a decimal if both would look the same."""
    decimals = int(format_chance(swap.chance_before) == format_chance(swap.chance_after))
    return f"{format_chance(swap.chance_before, decimals)} → {format_chance(swap.chance_after, decimals)}"


def balance_note_text(result: BalancedTeams, system: str) -> str:
    """Return that no further swap helps, and what the round would change for the user."""
    mine, lineup = result.own_change, result.lineup
    sentences = [_("No further swap improves the balance.")]
    if result.lacks_commander:
        sentences.append(_("Mark a commander on each team to count their commander skill."))
    if mine is not None and mine.skip_reason is not None:
        sentences.append(_("The round would not be rated: {why}.").format(why=unrated_reason_text(mine.skip_reason)))
    elif mine is not None:
        decimals = rating_decimals(system) + 1
        words = _("For you: win {won}, loss {lost} ({team}, full round).")
        team = lineup.teams[int(lineup.own_id in result.teams[1])]
        won, lost = format_change(mine.win, decimals), format_change(mine.lose, decimals)
        sentences.append(words.format(won=won, lost=lost, team=team_title(team)))
    return " ".join(sentences)


def team_mean_text(result: BalancedTeams, team: int, system: str) -> str:
    """Return `mean 1 691`."""
    mean = result.compute_mean_points(team)
    return "" if mean is None else _("mean {points}").format(points=format_points(mean, rating_decimals(system)))


def player_points_text(player: LineupPlayer, result: BalancedTeams, system: str) -> str:
    """Return `1 690`, with `~` for a player without rated rounds."""
    return ("" if player.is_known else "~") + format_points(result.points[player.id], rating_decimals(system))


def _player_name(player: LineupPlayer, lineup: BalanceLineup) -> str:
    return _("you") if player.id == lineup.own_id else player.name


def teams_as_text(result: BalancedTeams, system: str) -> str:
    """Return the teams as text for a chat.

    `parse_player_list` reads the same line-up from it.
    """
    blocks = []
    for team in (0, 1):
        title = format_team_title(result.lineup.teams[team], team)
        lines = [f"{title} ({team_mean_text(result, team, system)})"]
        lines += [
            f"{entry.name}  {player_points_text(entry, result, system)}"
            for entry in sort_players_by_rating(result, team)
        ]
        blocks.append("\n".join(lines))
    first = team_title(result.lineup.teams[0]) or _("team 1")
    before, after = format_chance(result.chance_before), format_chance(result.final_chance)
    chances = "# " + _("Win chance for {team}: {before} → {after}")
    blocks.append(chances.format(team=first, before=before, after=after))
    return "\n\n".join(blocks)
