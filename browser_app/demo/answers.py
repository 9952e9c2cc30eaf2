"""Which answers a part needs: one for each query protocol."""

from collections.abc import Callable

from browser_app.demo.a2s_answers import A2SAnswers
from browser_app.demo.casting import Part
from browser_app.demo.faults import Lie
from browser_app.demo.quake_answers import DarkPlacesAnswers, QuakeAnswers
from browser_app.demo.server import Answers
from browser_app.demo.tally import Tally


def make_answers(
    part: Part, query_port: int, flood_guard: bool, tally: Tally, now_s: Callable[[], float]
) -> Answers | None:
    """The answers of a server at `query_port`; None for a dead one."""
    state = part.population
    if not part.alive:
        return None
    if state.sheet.protocol == "darkplaces":
        return DarkPlacesAnswers(state, now_s, flood_guard, tally)
    if state.sheet.protocol == "quake3":
        return QuakeAnswers(state, now_s)
    challenge = part.challenge or part.lie is Lie.SILENT_AFTER_CHALLENGE
    game_port = query_port - state.sheet.query_offset
    return A2SAnswers(state, game_port, challenge, part.lie is Lie.FALSE_COUNT, now_s)
