"""Texts of the page Now."""

from bisect import bisect_right

from browser_app.application.skill_preferences import SERVER_SCALE_SYSTEM
from browser_app.application.skill_state import OwnSkill
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.skill_summary import RatingPart, RecentTrend, SkillSummary
from browser_app.ui.skill.rating_format import format_change, format_points, rating_decimals, system_title, team_title
from browser_app.ui.widgets.value_text import ordinal_text, percent_text, thousands_text

MIN_RANKED_ROUNDS = 10
"""Players with fewer rounds have no rank."""
_QUARTERS = 4


def standing_texts(now: SkillSummary, system: str) -> tuple[str, str]:
    """Where a rating is among others: the tier or the quarter, and what comes next."""
    if now.value is None:
        return _("Not rated yet"), _("No round of yours has an outcome that this system can rate.")
    if now.tier is not None:
        return _(now.tier.name), _next_tier_text(now)
    if not now.quantiles:
        return "", _("There are too few players with {least} or more rounds for a scale.").format(
            least=MIN_RANKED_ROUNDS
        )
    least, greatest, quarter = now.quantiles[0], now.quantiles[-1], quarter_index(now.value, now.quantiles)
    words = _("The ranked players of your record are between {least} and {greatest}.")
    decimals = rating_decimals(system)
    low, high = (format_points(each, decimals) for each in (least, greatest))
    return quarter_titles()[quarter], words.format(least=low, greatest=high)


def _next_tier_text(now: SkillSummary) -> str:
    if now.next_tier is None or now.to_next is None:
        return _("The highest tier")
    words = ngettext("{n} point to {tier}", "{n} points to {tier}", now.to_next)
    return words.format(n=thousands_text(now.to_next), tier=_(now.next_tier.name))


def quarter_titles() -> tuple[str, str, str, str]:
    """The four parts of a scale without tiers."""
    return _("Lowest quarter"), _("Second quarter"), _("Third quarter"), _("Top quarter")


def quarter_index(value: float, quantiles: tuple[float, ...]) -> int:
    """0 for the lowest quarter to 3 for the top one."""
    return min(bisect_right(quantiles[1:-1], value), _QUARTERS - 1)


def uncertainty_text(now: SkillSummary, system: str) -> str:
    """How sure the rating is, in words and numbers."""
    if now.value is None:
        return ""
    if now.low is None or now.high is None:
        return _("How sure this is, is unknown.")
    sure = {
        "sure": _("Sure: 9 times in 10 between {low} and {high}."),
        "fairly sure": _("Fairly sure: 9 times in 10 between {low} and {high}."),
        "unsure": _("Unsure: 9 times in 10 between {low} and {high}."),
    }.get(now.doubt, _("A guess so far: 9 times in 10 between {low} and {high}."))
    low, high = (estimate_mark(now) + format_points(each, rating_decimals(system)) for each in (now.low, now.high))
    return sure.format(low=low, high=high)


def estimate_mark(now: SkillSummary) -> str:
    """What stands before numbers that come from an estimated standard deviation."""
    return "≈ " if now.sd_from == "gradients" else ""


def basis_text(now: SkillSummary) -> str:
    """What the tier counts, or what the range rests on."""
    if now.effective is not None and now.value is not None and now.adagrad_sum:
        words = _("For the tier the game counts {counted}: your {value} less 25 / √{sum} for doubt.")
        counted, value = format_points(now.effective), format_points(now.value)
        return words.format(counted=counted, value=value, sum=f"{now.adagrad_sum:.3f}")
    return _("Rated in {mode}, your mode with most rounds.").format(mode=now.mode) if now.mode else ""


def range_source_text(now: SkillSummary, *, solving: bool = False) -> str:
    """Where the range comes from, when the system keeps none of its own; `solving`: a better one will follow."""
    if now.sd_from == "gradients" and solving:
        return _("An estimate for now: the range is being worked out from the whole record.")
    if now.sd_from == "gradients":
        return _("The range is estimated by what your rounds told, as if all others’ skills were known.")
    if now.sd_from == "full history":
        return _("The range is that of the most probable skills given the whole record.")
    return ""


def win_loss_text(won: int, lost: int, drawn: int) -> str:
    """`64, 42 (2 dr.)`; nothing where nothing was played."""
    if not won + lost + drawn:
        return ""
    both = f"{thousands_text(won)}, {thousands_text(lost)}"
    return _("{won_lost} ({n} dr.)").format(won_lost=both, n=thousands_text(drawn)) if drawn else both


def trend_text(trend: RecentTrend) -> str:
    """`11 won, 9 lost, 1 drawn`."""
    if not trend.rounds:
        return _("no rated rounds yet")
    return _outcome_counts_text(trend.won, trend.lost, trend.drawn)


def _outcome_counts_text(won: int, lost: int, drawn: int) -> str:
    words = [_("{n} won").format(n=thousands_text(won)), _("{n} lost").format(n=thousands_text(lost))]
    if drawn:
        words.append(_("{n} drawn").format(n=thousands_text(drawn)))
    return ", ".join(words)


def expected_wins_text(trend: RecentTrend) -> str:
    """How many wins the chances said before add up to."""
    if not trend.rounds:
        return ""
    return _("{n} wins were expected from the teams.").format(n=f"{trend.expected:.1f}")


def breakdown_title(part: RatingPart, player: str) -> str:
    """What a row of the parts is called; where all play for themselves a team is called like its `player`."""
    if part.kind == "chair":
        return _("Commanding")
    if part.kind == "team":
        return _("On my own") if part.name == player else team_title(part.name)
    return part.name or _("no mode named")


def breakdown_note(part: RatingPart, system: str) -> str:
    """What to know of a row besides its numbers."""
    if part.mark == "offset" and part.offset is not None:
        return _("rating {offset}").format(offset=format_change(part.offset, rating_decimals(system)))
    return {
        "apart": _("rated apart"),
        "shared": _("one rating for all"),
        "guess": _("a guess so far"),
        "unknown": _("unknown"),
    }.get(part.mark, "")


def rank_text(now: SkillSummary) -> str:
    """The place among those with enough rounds."""
    ranked = ngettext(
        "{n} player with {least} or more rounds", "{n} players with {least} or more rounds", now.ranked_players
    ).format(n=thousands_text(now.ranked_players), least=MIN_RANKED_ROUNDS)
    if now.rank is None and now.mode:
        words = _("Unknown: you have fewer than {least} rated rounds in {mode}.")
        return words.format(least=MIN_RANKED_ROUNDS, mode=now.mode)
    if now.rank is None:
        return _("Unknown: you have fewer than {least} rated rounds.").format(least=MIN_RANKED_ROUNDS)
    if now.ranked_players == 1:
        return _("Nobody else has {least} or more rounds.").format(least=MIN_RANKED_ROUNDS)
    better = (now.ranked_players - now.rank) / (now.ranked_players - 1)
    return _("{place} of {players}: better than {share} of the others.").format(
        place=ordinal_text(now.rank), players=ranked, share=percent_text(better)
    )


def rounds_played_text(now: SkillSummary, approximate: int) -> str:
    """How many rounds were rated and how they ended; of how many it is `approximate` who was there when."""
    rounds = ngettext("{n} rated round", "{n} rated rounds", now.rounds).format(n=thousands_text(now.rounds))
    words = _("{rounds}: {ended}.").format(rounds=rounds, ended=_outcome_counts_text(now.won, now.lost, now.drawn))
    if not approximate:
        return words
    doubt = _("Of {n} the files tell no times of joining: these are estimated.").format(n=thousands_text(approximate))
    return f"{words} {doubt}"


def usage_texts(
    points: OwnSkill | None, servers: int, game: str, *, game_reports_skill: bool, system: str
) -> tuple[str, str]:
    """What the rating does in the list, and why it is this number.

    `servers` of a game, called `game` in short, tell their skill now; `game_reports_skill`: servers of that game do it
    at all.
    `system` is the one that is shown.
    """
    if not game_reports_skill:
        return _("{game} servers tell no skill, so yours does not count in the list.").format(game=game), ""
    if points is None:
        return (
            _("Your skill is unknown to the list, so it does not count there."),
            _("It takes 10 rated rounds on the servers’ own scale, or a number you type in."),
        )
    words = ngettext(
        "{points} feeds the skill factor of {n} {game} server now.",
        "{points} feeds the skill factor of {n} {game} servers now.",
        servers,
    ).format(points=format_points(points.value), n=thousands_text(servers), game=game)
    why = {
        "typed": _("It is the number you typed in, which goes before all others."),
        "record": _("It comes from your own record.")
        if system == SERVER_SCALE_SYSTEM
        else _("It comes from your own record under {system}, whose scale the servers use.").format(
            system=system_title(SERVER_SCALE_SYSTEM)
        ),
        "game": _("It is the game’s own number: your own record is not yet surer than a guess."),
        "guess": _("It comes from your own record, a guess so far: no surer number is known."),
    }[points.source]
    return words, why
