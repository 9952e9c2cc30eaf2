"""The players' page: groups that add up to the row in the table."""

from browser_app.catalogue.facts import PlayerRow
from browser_app.ui.player_lines import groups_of, lines_of, summary


def player(
    name: str, score: float, team: int | None = None, *, bot: bool = False, spectator: bool = False
) -> PlayerRow:
    return PlayerRow(name, score, None, None, team, bot, spectator)


def test_teams_say_their_points_and_who_does_not_count_is_apart() -> None:
    players = [
        player("a", 5.0, team=1),
        player("b", 31.0, team=1),
        player("c", 7.0, team=2),
        player("d", 99.0, bot=True),
        player("e", 0.0, spectator=True),
    ]
    groups = groups_of(players, team_names=True)
    assert [(title, summary(group)) for title, group in groups] == [
        ("Red", "2 players, 36 points"),
        ("Blue", "1 player, 7 points"),
        ("Bots", "1, not counted"),
        ("Spectators", "1, not counted"),
    ]
    assert [each.name for each in groups[0][1]] == ["b", "a"]


def test_without_teams_points_are_not_added_up() -> None:
    ((title, group),) = groups_of([player("a", 5.0), player("b", 3.0)], team_names=False)
    assert (title, summary(group)) == ("Playing", "2 players")


def test_friends_and_the_best_are_marked_and_bots_are_neither() -> None:
    players = [player("a", 5.0), player("b", 9.0), player("c", 99.0, bot=True), player("d", 50.0, spectator=True)]
    lines = lines_of(players, lambda each: {"a": "team", "b": "friends"}.get(each.name), team_names=False, times=False)
    assert [(line.name, line.marks) for line in lines if not line.title] == [
        ("b", "friend, best"),
        ("a", "team mate"),
        ("c", ""),
        ("d", ""),
    ]


def test_where_nobody_has_a_score_nobody_is_best() -> None:
    lines = lines_of([player("a", 0.0), player("b", 0.0)], lambda _: None, team_names=False, times=False)
    assert not any(line.best for line in lines)
