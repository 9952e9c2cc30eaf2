"""Who was on the teams of an explained round, with what they were worth and how much of it they were there."""

from dataclasses import dataclass

from browser_app.language import gettext as _
from browser_app.rating.explanation import Explanation, Member
from browser_app.ui.skill.numbers import chance_words, decimals_of, points_words
from browser_app.ui.skill.team_titles import team_title


@dataclass(frozen=True, slots=True)
class MemberLine:
    """One of them."""

    name: str
    value: str
    share: str
    me: bool
    commanding: bool


@dataclass(frozen=True, slots=True)
class TeamSheet:
    """One team: field players by what they are worth, then who commanded."""

    title: str
    mean: str
    members: tuple[MemberLine, ...]

    def lines(self) -> list[str]:
        """As text."""
        return [
            f"{self.title}, {self.mean}" if self.mean else self.title,
            *(f"{each.name}  {each.value}  {each.share}" for each in self.members),
        ]


def teams_of(explanation: Explanation) -> tuple[TeamSheet, ...]:
    """My own team first; where everybody plays alone, all of them as one."""
    teams = [members for members in explanation.teams if members]
    decimals = decimals_of(explanation.system)
    if all(len({each.id for each in members}) == 1 for members in teams):
        everybody = sorted((each for members in teams for each in members), key=lambda each: -each.value)
        lines = tuple(_line(each, explanation.player, decimals) for each in everybody)
        return (TeamSheet(_("Who played"), "", lines),)
    order = sorted(range(len(explanation.teams)), key=lambda team: team != explanation.team)
    return tuple(_team(explanation, team) for team in order if explanation.teams[team])


def _team(explanation: Explanation, team: int) -> TeamSheet:
    members, decimals = explanation.teams[team], decimals_of(explanation.system)
    name = team_title(members[0].team)
    ordered = sorted(members, key=lambda each: (each.commanding, -each.value))
    mean = _mean(explanation, team)
    return TeamSheet(
        _("{team}, yours").format(team=name) if team == explanation.team else name,
        "" if mean is None else _("mean {points}").format(points=points_words(mean, decimals)),
        tuple(_line(each, explanation.player, decimals) for each in ordered),
    )


def _mean(explanation: Explanation, team: int) -> float | None:
    """Of a team's values as the model takes it; where it does not say, weighted with the shares."""
    noted = explanation.notes.get("mean_own" if team == explanation.team else "mean_other")
    if noted is not None and len(explanation.teams) == 2:
        return noted
    members = [each for each in explanation.teams[team] if not each.commanding]
    weight = sum(each.share for each in members)
    return sum(each.value * each.share for each in members) / weight if weight else None


def _line(member: Member, me: str, decimals: int) -> MemberLine:
    name = _("you") if member.id == me else member.name or member.id
    if member.commanding:
        name = _("{name}, commander").format(name=name)
    share = chance_words(member.share)
    return MemberLine(name, points_words(member.value, decimals), share, member.id == me, member.commanding)
