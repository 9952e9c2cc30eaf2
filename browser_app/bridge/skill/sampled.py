"""What was kept of the services' answers, as courses that can be drawn."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from browser_app.bridge.skill.web_sources import WEB_SOURCES, WebSource, state_of
from browser_app.player.identities import Identity
from browser_app.player.sampled_course import SampledCourse
from browser_app.storage.skill_samples import SkillSample, SkillSamples


def sampled_courses(samples: SkillSamples, game: str, identities: Sequence[Identity]) -> tuple[SampledCourse, ...]:
    """A course for each number that a service keeps of one of these identities in a game; takes its time.

    Raises:
        StorageError: the file cannot be read.
    """
    found: list[SampledCourse] = []
    for source in WEB_SOURCES:
        if source.game == game:
            mine = [each.value for each in identities if each.game == game and each.kind == source.identity]
            kept = samples.of(source.kind, game)
            for identity in mine:
                found += _courses(source, identity, [each for each in kept if each.identity == identity])
    return tuple(found)


def _courses(source: WebSource, identity: str, kept: Iterable[SkillSample]) -> Iterator[SampledCourse]:
    """By mode; what was kept otherwise than it is now is left out, and a value that stays the same is one."""
    rows: dict[str, list[tuple[float, float, float, float]]] = {}
    for sample in kept:
        for mode, (points, sd) in _numbers(source, sample).items():
            known = rows.setdefault(mode, [])
            if known and known[-1][2] == points:
                known[-1] = known[-1][0], max(known[-1][1], sample.until), points, sd
            else:
                known.append((sample.since, sample.until, points, sd))
    for mode, values in sorted(rows.items()):
        since, until, points, doubts = np.array(values, np.float64).T
        yield SampledCourse(source.kind, identity, mode, since, until, points, doubts)


def _numbers(source: WebSource, sample: SkillSample) -> dict[str, tuple[float, float]]:
    state = state_of(source, (sample.until, sample.told), on=True, problem="")
    if state.modes:
        return dict(state.modes)
    return {} if state.points is None else {"": (state.points, np.nan)}
