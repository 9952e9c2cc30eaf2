"""Texts of the page Now."""

import time
from bisect import bisect_right

from browser_app.application.own_skill.own_skill_resolver import MIN_OWN_ROUNDS
from browser_app.application.own_skill.skill_state import OwnSkill
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import decimal_text, integer_text
from browser_app.player.skill_summary import MIN_RANKED_ROUNDS, RatingPart, RecentTrend, SkillSummary
from browser_app.ui.skill.outcome_marker import outcome_counts_text
from browser_app.ui.skill.rating_format import (
    estimate_mark,
    format_change,
    format_points,
    rating_decimals,
    system_title,
    team_title,
)
from browser_app.ui.widgets.value_text import age_text, join_sentences, percent_text

_QUARTERS = 4


def tier_texts(now: SkillSummary, system: str) -> tuple[str, str]:
    """Return the tier or quarter of a rating, and what comes next."""
    if now.value is None:
        return _("Not rated yet"), _("None of your rounds has a result that this system can rate.")
    if now.tier is not None:
        return _(now.tier.name), _next_tier_text(now)
    if not now.quantiles:
        return "", _("Too few players with {least} or more rounds for a scale.").format(least=MIN_RANKED_ROUNDS)
    least, greatest, quarter = now.quantiles[0], now.quantiles[-1], quarter_index(now.value, now.quantiles)
    words = _("Ranked players range from {least} to {greatest}.")
    decimals = rating_decimals(system)
    low, high = (format_points(each, decimals) for each in (least, greatest))
    return quarter_titles()[quarter], words.format(least=low, greatest=high)


def _next_tier_text(now: SkillSummary) -> str:
    if now.next_tier is None or now.points_to_next_tier is None:
        return _("Highest tier")
    words = ngettext("{n} point to {tier}", "{n} points to {tier}", now.points_to_next_tier)
    return words.format(n=integer_text(now.points_to_next_tier), tier=_(now.next_tier.name))


def quarter_titles() -> tuple[str, str, str, str]:
    """Return the titles of the four parts of a scale without tiers."""
    return _("Bottom quarter"), _("Second quarter"), _("Third quarter"), _("Top quarter")


def quarter_index(value: float, quantiles: tuple[float, ...]) -> int:
    """Return 0 for the lowest quarter to 3 for the highest."""
    return min(bisect_right(quantiles[1:-1], value), _QUARTERS - 1)


def uncertainty_text(now: SkillSummary, system: str) -> str:
    """Return the confidence and the 90 % interval."""
    if now.value is None:
        return ""
    if now.low is None or now.high is None:
        return _("Uncertainty unknown.")
    sure = {
        "sure": _("High confidence: 90 % range {low} to {high}."),
        "fairly sure": _("Medium confidence: 90 % range {low} to {high}."),
        "unsure": _("Low confidence: 90 % range {low} to {high}."),
    }.get(now.certainty, _("Rough guess: 90 % range {low} to {high}."))
    mark, decimals = estimate_mark(now.has_estimated_sd), rating_decimals(system)
    low, high = (mark + format_points(each, decimals) for each in (now.low, now.high))
    return sure.format(low=low, high=high)


def basis_text(now: SkillSummary) -> str:
    """Return how the tier value is calculated, why there is none, or the rated mode."""
    if now.adagrad_sum is not None and now.confident_points is None:
        return _(
            "No tier: with hindsight, ratings have their own level, as the in-game skill in your rounds is ignored."
        )
    if now.confident_points is not None and now.value is not None and now.adagrad_sum:
        words = _("The tier uses {counted}: your {value} minus 25 / √{sum} for uncertainty.")
        counted, value = format_points(now.confident_points), format_points(now.value)
        return words.format(counted=counted, value=value, sum=decimal_text(now.adagrad_sum, 3))
    return _("Rated in {mode}, your most-played mode.").format(mode=now.mode) if now.mode else ""


def range_source_text(now: SkillSummary) -> str:
    """Return where a range comes from that is not the system's own."""
    if now.is_range_inferred:
        return _("The range is estimated from your rounds: the system’s own uncertainty is too small.")
    return _("The range is estimated from your rounds.") if now.has_estimated_sd else ""


def win_loss_text(won: int, lost: int, drawn: int) -> str:
    """Return `64, 42 (2 dr.)`; empty without rounds."""
    if not won + lost + drawn:
        return ""
    words = _("{won}, {lost} ({drawn} dr.)") if drawn else "{won}, {lost}"
    return words.format(won=integer_text(won), lost=integer_text(lost), drawn=integer_text(drawn))


def trend_text(trend: RecentTrend) -> str:
    """Return `11 won, 9 lost, 1 drawn`."""
    if not trend.rounds:
        return _("no rated rounds yet")
    return outcome_counts_text(trend.won, trend.lost, trend.drawn)


def expected_wins_text(trend: RecentTrend) -> str:
    """Return the sum of the win chances of the recent rounds."""
    if not trend.rounds:
        return ""
    return _("{n} wins expected from the teams.").format(n=decimal_text(trend.expected, 1))


def breakdown_title(part: RatingPart, player: str) -> str:
    """Return a row's title.

    In free-for-all modes a team is named after its player, the `player`.
    """
    if part.kind == "commander":
        return _("Commander")
    if part.kind == "team":
        return _("Solo") if part.name == player else team_title(part.name)
    return part.name or _("no mode")


def breakdown_note(part: RatingPart, system: str) -> str:
    """Return a note on a row: its offset, or how it is rated."""
    if part.mark == "offset" and part.offset is not None:
        return _("rating {offset}").format(offset=format_change(part.offset, rating_decimals(system)))
    return {
        "apart": _("rated separately"),
        "shared": _("shared rating"),
        "guess": _("rough guess"),
        "unknown": _("unknown"),
    }.get(part.mark, "")


def rank_text(now: SkillSummary) -> str:
    """Return the rank among players with enough rounds."""
    if now.rank is None and now.mode:
        words = _("Unranked: fewer than {least} rated rounds in {mode}.")
        return words.format(least=MIN_RANKED_ROUNDS, mode=now.mode)
    if now.rank is None:
        return _("Unranked: fewer than {least} rated rounds.").format(least=MIN_RANKED_ROUNDS)
    if now.ranked_players == 1:
        return _("No other player has {least} or more rounds.").format(least=MIN_RANKED_ROUNDS)
    better = (now.ranked_players - now.rank) / (now.ranked_players - 1)
    words = ngettext(
        "Rank {rank} of {n} player with {least} or more rounds: better than {share} of the others.",
        "Rank {rank} of {n} players with {least} or more rounds: better than {share} of the others.",
        now.ranked_players,
    )
    return words.format(
        rank=integer_text(now.rank),
        n=integer_text(now.ranked_players),
        least=MIN_RANKED_ROUNDS,
        share=percent_text(better),
    )


def rounds_played_text(now: SkillSummary, approximate: int) -> str:
    """Return the number of rated rounds and their results.

    `approximate` of them have estimated join times.
    """
    words = ngettext("{n} rated round: {counts}.", "{n} rated rounds: {counts}.", now.rounds)
    counts = outcome_counts_text(now.won, now.lost, now.drawn)
    sentences = [words.format(n=integer_text(now.rounds), counts=counts)]
    if approximate:
        words = ngettext("{n} round has estimated join times.", "{n} rounds have estimated join times.", approximate)
        sentences.append(words.format(n=integer_text(approximate)))
    return " ".join(sentences)


def usage_texts(
    points: OwnSkill | None, servers: int, game: str, *, server_system: str, system: str
) -> tuple[str, str]:
    """Return how the server list uses the rating, and where that number comes from.

    Args:
        points: what the list uses; None if nothing is known.
        servers: number of listed servers that report skill now.
        game: the game's name.
        server_system: the system on whose scale servers report skill; empty if they report none.
        system: the rating system that is shown.
    """
    if not server_system:
        return _("Servers of {game} do not report skill, so yours is not used in the list.").format(game=game), ""
    if points is None:
        needs = _("It needs {least} rated rounds on the servers’ scale, or a number that you enter.")
        return _("Your skill is not available for the list yet."), needs.format(least=MIN_OWN_ROUNDS)
    if servers:
        words = ngettext(
            "{points} is used to score {n} server of {game} now.",
            "{points} is used to score {n} servers of {game} now.",
            servers,
        )
    else:
        words = _("{points} is used to score servers of {game} once some are listed.")
    use = words.format(points=format_points(points.value), n=integer_text(servers), game=game)
    other_system = "" if system == server_system else system_title(server_system)
    return use, source_reason_text(points, other_system, time.time())


def source_reason_text(points: OwnSkill, other_system: str, now: float) -> str:
    """Return why the list uses a number, with its uncertainty and its age.

    The age is that at `now` (Unix time, s). `other_system` is the title of the rating system it was calculated with, if
    not the shown one.
    """
    why = {
        "game": _("This is your in-game skill, which is on the servers’ scale."),
        "anchored": _("This is the latest in-game skill in your round files, plus the rating changes since."),
        "entered": _("This is the number you entered; your in-game skill is not known."),
        "record": _("Calculated from your rounds alone, because your in-game skill is not known."),
    }[points.source]
    if other_system and points.source in ("anchored", "record"):
        why = join_sentences(why, _("Rating system: {system}, the scale servers use.").format(system=other_system))
    if points.sd is not None:
        why = join_sentences(why, _("Uncertainty: ±{sd}.").format(sd=format_points(points.sd)))
    age = points.age_s(now)
    if age is None:
        return why
    known = _("Read {age} ago.") if points.source == "game" else _("Last round {age} ago.")
    return join_sentences(why, known.format(age=age_text(age)))
