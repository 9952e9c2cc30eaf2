"""Texts of Play Now about verified servers, excluded servers and games to install."""

import math
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools
from browser_app.catalogue.game_servers import most_played_games
from browser_app.catalogue.server_value_text import UNKNOWN_VALUE, score_text, server_name, server_numbers_text
from browser_app.engine.catalogue_snapshot import CatalogueSnapshot, FilterRule
from browser_app.engine.play_now_run import NoEligibleServer, PlayCandidate, RetryStarted, VerifiedServer
from browser_app.language import N_, ngettext
from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.ranking.play_now_choice import ELIGIBILITY_RULES, ExclusionReason, PlayNowChoice
from browser_app.ui.play.filter_relaxation import FilterRelaxation
from browser_app.ui.play.play_now_popover import ExclusionCount, PlayNowSuggestion, VerificationStep
from browser_app.ui.widgets.value_text import join_sentences

MAX_SHOWN_REASONS = 3
MAX_SUGGESTED_GAMES = 2

_REASON_LABELS: Mapping[ExclusionReason, str] = {
    ExclusionReason.NO_ANSWER: N_("No answer"),
    ExclusionReason.FULL: N_("Full or closed"),
    ExclusionReason.PASSWORD: N_("Needs a password"),
    ExclusionReason.BLOCKED: N_("Blocked"),
    ExclusionReason.VERSION: N_("Other version"),
    ExclusionReason.ROOKIE_ONLY: N_("Rookies only"),
    ExclusionReason.FILTERED: N_("Hidden by filter"),
    ExclusionReason.RECENTLY_LEFT: N_("Recently left"),
    ExclusionReason.NOT_INSTALLED: N_("Not installed"),
    ExclusionReason.SUSPICIOUS: N_("Suspicious"),
}
_FILTER_RULE_LABELS: Mapping[FilterRule, str] = {
    FilterRule.OTHER_GAME: N_("Game you do not play"),
    FilterRule.SKIPPED: N_("Skipped"),
    FilterRule.NO_QUICK_PLAY: N_("Not for Play Now"),
}
_EXCLUSION_SENTENCES: Mapping[ExclusionReason, str] = {
    ExclusionReason.NO_ANSWER: N_("“{server}” does not answer."),
    ExclusionReason.FULL: N_("“{server}” is full."),
    ExclusionReason.PASSWORD: N_("“{server}” needs a password."),
    ExclusionReason.BLOCKED: N_("“{server}” is blocked."),
    ExclusionReason.VERSION: N_("“{server}” has another version."),
    ExclusionReason.ROOKIE_ONLY: N_("“{server}” is for rookies only."),
    ExclusionReason.FILTERED: N_("“{server}” no longer matches your filters."),
    ExclusionReason.RECENTLY_LEFT: N_("You left “{server}” recently."),
    ExclusionReason.NOT_INSTALLED: N_("The game of “{server}” is not installed."),
    ExclusionReason.SUSPICIOUS: N_("“{server}” looks suspicious."),
}


def attempt_text(step: NoEligibleServer | RetryStarted, is_other_list: bool) -> str:
    """Return that a run goes on looking.

    `is_other_list` if another list is on screen by now.
    """
    if is_other_list:
        text = (
            _("Still looking in the list shown at the start, attempt {n}: querying all servers.")
            if isinstance(step, RetryStarted)
            else _("Still looking in the list shown at the start, attempt {n}.")
        )
    elif isinstance(step, RetryStarted):
        text = _("Still looking, attempt {n}: querying all servers.")
    else:
        text = _("Still looking, attempt {n}.")
    return text.format(n=step.attempt)


def game_texts(catalogue: Catalogue, server: int) -> list[str]:
    """Return what is played on a server, then shorter texts.

    The first one is such as `Xonotic, ctf on stormkeep`.
    """
    game_id, mode, map_name = catalogue.game[server], catalogue.mode[server], catalogue.map[server]
    profile = catalogue.games.get(game_id)
    game, short = (profile.name, profile.short) if profile else (game_id, game_id)
    if mode and map_name:
        whole = _("{game}, {mode} on {map}").format(game=game, mode=mode, map=map_name)
    else:
        whole = ", ".join(filter(None, (game, mode or map_name)))
    return [whole, game, short]


def exclusion_sentence(catalogue: Catalogue, server: int, reason: ExclusionReason) -> str:
    """Return why a server is not chosen."""
    if reason is ExclusionReason.FULL and catalogue.is_closed(server):
        return _("“{server}” accepts no players now.").format(server=server_name(catalogue, server))
    if reason is ExclusionReason.NO_ANSWER and not catalogue.is_unresponsive(server):
        return _("“{server}” has not been queried.").format(server=server_name(catalogue, server))
    return _(_EXCLUSION_SENTENCES[reason]).format(server=server_name(catalogue, server))


def passed_over_text(catalogue: Catalogue, snapshot: CatalogueSnapshot, choice: PlayNowChoice, chosen: int) -> str:
    """Return which server ranks higher than the chosen one, and why it is left out.

    Only servers of the scope count; empty for none. Servers that the user skipped, and those of games that are not
    installed, are not named.
    """
    score = snapshot.candidates.score
    left_out = snapshot.in_scope & (choice.failed_rule >= 0) & ~snapshot.candidates.not_installed
    left_out &= ~choice.excluded_servers(ExclusionReason.FILTERED)
    better = np.flatnonzero(left_out & (score > score[chosen]))
    if not len(better):
        return ""
    first = int(better[np.argmax(score[better])])
    reason = choice.exclusion_reason(first)
    if reason is ExclusionReason.RECENTLY_LEFT:
        return _("“{server}” ranks higher, but you left it recently.").format(server=server_name(catalogue, first))
    higher = _("“{server}” ranks higher.").format(server=server_name(catalogue, first))
    return join_sentences(higher, exclusion_sentence(catalogue, first, reason)) if reason else ""


def next_best_text(catalogue: Catalogue, server: int) -> str:
    """Return which server follows one that failed."""
    name, numbers = server_name(catalogue, server), server_numbers_text(catalogue, server)
    return _("Next best: “{server}”, {numbers}.").format(server=name, numbers=numbers)


def verified_choice_text(catalogue: Catalogue, servers: Sequence[VerifiedServer], chosen: VerifiedServer) -> str:
    """Return how the choice came out of the verification.

    `servers` are in the order before it.
    """
    first, numbers = servers[0], server_numbers_text(catalogue, chosen.row)
    if chosen is first:
        return _("Still the best of {n}: {numbers}.").format(n=len(servers), numbers=numbers)
    if first.is_eligible or first.exclusion_reason is None:
        name = server_name(catalogue, first.row)
        return _("Better than “{server}” now: {numbers}.").format(server=name, numbers=numbers)
    change = exclusion_sentence(catalogue, first.row, first.exclusion_reason)
    return join_sentences(change, _("Next best: {numbers}.").format(numbers=numbers))


def query_steps(catalogue: Catalogue, candidates: Sequence[PlayCandidate]) -> list[VerificationStep]:
    """Return the lines of servers that are queried again."""
    return [
        VerificationStep("checking", server_name(catalogue, each.row), _score_text(each.score), _("checking again…"))
        for each in candidates
    ]


def verified_steps(
    catalogue: Catalogue, servers: Sequence[VerifiedServer], chosen: VerifiedServer | None
) -> list[VerificationStep]:
    """Return the lines of servers after the verification."""
    return [
        VerificationStep(
            _step_state(each, chosen),
            server_name(catalogue, each.row),
            f"{_score_text(each.score_before)} → {_score_text(each.score_now)}",
            _step_note(catalogue, each, servers[0], chosen),
        )
        for each in servers
    ]


def _score_text(score: float) -> str:
    return UNKNOWN_VALUE if math.isnan(score) else score_text(score)


def _step_state(server: VerifiedServer, chosen: VerifiedServer | None) -> str:
    if not server.is_eligible:
        return "excluded"
    if server.exclusion_reason is not None:
        return "suspicious"
    return "chosen" if server is chosen else "eligible"


def _step_note(
    catalogue: Catalogue, server: VerifiedServer, first: VerifiedServer, chosen: VerifiedServer | None
) -> str:
    if not server.is_eligible:
        return _exclusion_label(catalogue, server.row, server.exclusion_reason) if server.exclusion_reason else ""
    numbers = server_numbers_text(catalogue, server.row)
    if server is not chosen:
        return numbers
    note = _("{numbers}: still the best") if server is first else _("{numbers}: now the best")
    return note.format(numbers=numbers)


def _exclusion_label(catalogue: Catalogue, server: int, reason: ExclusionReason) -> str:
    if reason is ExclusionReason.FULL:
        return _("Closed") if catalogue.is_closed(server) else _("Full")
    return _(_REASON_LABELS[reason])


def exclusions_in_scope(
    catalogue: Catalogue, snapshot: CatalogueSnapshot, choice: PlayNowChoice
) -> list[ExclusionCount]:
    """Return the rules that exclude servers of the scope, most servers first.

    `snapshot` is the catalogue as it is now. A server that was not queried has not failed to answer.
    """
    rules = [why for why in ELIGIBILITY_RULES if why not in (ExclusionReason.FILTERED, ExclusionReason.NO_ANSWER)]
    excluded = [(_(_REASON_LABELS[why]), choice.excluded_servers(why)) for why in rules]
    without_answer = choice.excluded_servers(ExclusionReason.NO_ANSWER)
    excluded.append((_(_REASON_LABELS[ExclusionReason.NO_ANSWER]), without_answer & catalogue.unresponsive))
    excluded.append((_("Not queried"), without_answer & ~catalogue.unresponsive))
    filtered = choice.excluded_servers(ExclusionReason.FILTERED)
    for rule, label in _FILTER_RULE_LABELS.items():
        excluded.append((_(label), filtered & snapshot.filtered[rule]))
        filtered = filtered & ~snapshot.filtered[rule]
    counts = [ExclusionCount(label, int(np.count_nonzero(rows & snapshot.in_scope))) for label, rows in excluded]
    return sorted((each for each in counts if each.servers), key=lambda each: -each.servers)


def suggestion(catalogue: Catalogue, relaxation: FilterRelaxation) -> PlayNowSuggestion:
    """Return what the user is offered where no server is eligible."""
    best = relaxation.best_server
    text = ngettext(
        "Otherwise suitable: “{server}”, {numbers}.",
        "{n} servers are otherwise suitable; the best is “{server}”, {numbers}.",
        relaxation.servers,
    ).format(
        n=integer_text(relaxation.servers),
        server=server_name(catalogue, best),
        numbers=server_numbers_text(catalogue, best),
    )
    return PlayNowSuggestion(relaxation.headline, text, relaxation.button_text)


def exclusions_text(counts: Sequence[ExclusionCount]) -> str:
    """Return the most frequent reasons, such as `Needs a password: 183 · Full: 5`."""
    parts = [
        _("{reason}: {n}").format(reason=each.label, n=integer_text(each.servers))
        for each in counts[:MAX_SHOWN_REASONS]
    ]
    more = len(counts) - len(parts)
    if more:
        parts.append(ngettext("{n} more reason", "{n} more reasons", more).format(n=more))
    return " · ".join(parts)


def games_to_install_text(catalogue: Catalogue, rows: Bools) -> str:
    """Return the games of these servers with most players, and where they come from."""
    games = most_played_games(catalogue, rows, MAX_SUGGESTED_GAMES)
    if not games:
        return _("Popular games appear here when their servers answer.")
    names = [
        _("{game} ({players} playing, {site})").format(
            game=profile.name, players=integer_text(players), site=_site_name(profile.launch.install_url)
        )
        for profile, players in games
    ]
    is_free = games[0].profile.launch.free
    text = _("Popular free games: {games}") if is_free else _("Popular games: {games}")
    return text.format(games=" · ".join(names))


def _site_name(url: str) -> str:
    """Return a website's name, short enough for one of several in a line."""
    host = urlsplit(url).hostname or ""
    return "Steam" if host == "store.steampowered.com" else host.removeprefix("www.")
