"""What XonStat (stats.xonotic.org) says of the user's skill now; it tells no history.

The service is xonstat-go: `GET /skill?hashkey=…` leads to the player's own page, which answers in JSON only where the
Accept header is `application/json` to the letter.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.asking import Asking, FetchError, Question, SourceError
from browser_app.protocols.json_text import NoJSON, read_json

XONSTAT = "https://stats.xonotic.org"
MOST_POINTS = 100_000.0
_MAX_MODES = 100
_MODE = re.compile(r"[a-z0-9_-]{1,20}", re.ASCII)


class Skill(NamedTuple):
    """A normal distribution, in XonStat's points: 0 ≤ mu, 0 < sigma."""

    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class XonStatSkill:
    """The skill by game type (`ctf`, `duel`, …); a type that the player has no skill in is missing."""

    modes: Mapping[str, Skill]
    """Never empty."""
    player: int | None = None
    """XonStat's number of the player."""

    @property
    def surest(self) -> str:
        """The game type with the least doubt, which speaks for the player where one number is wanted."""
        return min(self.modes, key=lambda mode: self.modes[mode].sigma)


def ask_skill(asking: Asking, fingerprint: str, base: str = XONSTAT) -> XonStatSkill:
    """Ask XonStat for the skill of the player with this key.

    Raises:
        SourceError: it told none.
    """
    question = Question(
        f"{base}/skill",
        {"hashkey": fingerprint},
        _("Xonotic skill of {fingerprint}…").format(fingerprint=fingerprint[:8]),
        headers={"Accept": "application/json"},
    )
    return asking.ask(question, read_skill, _in_words, in_plain_words)


def read_skill(body: bytes) -> XonStatSkill:
    """Read the skills of one player.

    Raises:
        SourceError: there is none among them.
    """
    try:
        answer = read_json(body)
    except NoJSON:
        raise SourceError(_("XonStat's answer is not JSON.")) from None
    if not isinstance(answer, list) or len(answer) > _MAX_MODES:
        raise SourceError(_("XonStat's answer makes no sense."))
    entries = [each for each in answer if isinstance(each, dict)]
    if len({repr(each.get("player_id")) for each in entries}) > 1:
        raise SourceError(_("XonStat answered about several players."))
    told = ((checked_mode(each.get("game_type_cd")), _skill(each)) for each in entries)
    modes = {mode: skill for mode, skill in told if mode is not None and skill is not None}
    if not modes:
        raise SourceError(_("XonStat knows this player, but no skill yet."))
    return XonStatSkill(modes, _player(entries[0].get("player_id")))


def checked_mode(value: object) -> str | None:
    """A game type's code, None for anything else."""
    return value if isinstance(value, str) and _MODE.fullmatch(value) else None


def _player(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31 else None


def _skill(entry: Mapping[str, object]) -> Skill | None:
    mu, sigma = _number(entry.get("mu")), _number(entry.get("sigma"))
    return None if mu is None or not sigma else Skill(mu, sigma)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_POINTS:
        return None
    return float(value)


def _in_words(skill: XonStatSkill) -> str:
    count = len(skill.modes)
    return ngettext("skill in {n} game type", "skill in {n} game types", count).format(n=count)


def in_plain_words(error: FetchError) -> str:
    """What XonStat meant by refusing."""
    match error.status:
        case 404:
            return _("XonStat does not know this key: it never saw a game that was tracked with it.")
        case 429:
            return _("XonStat was asked too often; it is left alone for an hour.")
        case _:
            return _("XonStat: {why}").format(why=error)
