"""Score explanation: factors, loss shares, sentences and improvements."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.games.game_profile import RankingConstants
from browser_app.games.game_registry import load_games
from browser_app.number_text import integer_text
from browser_app.paths import resource_folder
from browser_app.ranking.play_now_choice import choice_reasons, format_choice_reasons
from browser_app.ranking.ranking_inputs import RankingInputs
from browser_app.ranking.score_explanation import FactorExplanation, ScoreExplanation, explain_score, loss_shares
from browser_app.ranking.score_factors import PUBLISHED_FACTORS, SCORE_FACTORS, ScoreFactor
from browser_app.ranking.score_text import TranslatableText, format_aligned_factor, format_factor

SEED = RankingConstants()
SWITCHED_ON = RankingConstants(password=0.02, empty=0.5, ranked=1.5, friends=1.2, recently_left=0.5, blocked=1e-6)
NUMBERS = ("players", "usable_slots", "ping_ms", "performance", "quality", "server_skill", "player_skill", "forecast")
FLAGS = ("favourite", "password", "ranked", "friends", "recently_left", "blocked", "can_join", "reports_performance")
ANYTHING = st.fixed_dictionaries({name: st.floats() for name in NUMBERS} | {name: st.booleans() for name in FLAGS})
LIKELY = st.fixed_dictionaries(
    {
        "players": st.integers(0, 32).map(float),
        "usable_slots": st.integers(1, 32).map(float),
        "ping_ms": st.floats(1, 400),
        "performance": st.floats(-99, 100),
        "server_skill": st.floats(0, 5000),
        "player_skill": st.floats(0, 5000),
        "favourite": st.booleans(),
        "password": st.booleans(),
    }
)


def explained(constants: RankingConstants = SEED, /, **values: float) -> ScoreExplanation:
    return explain_score(RankingInputs.from_values(**values), constants)


def row_of(name: str, explanation: ScoreExplanation) -> FactorExplanation:
    return next(row for row in explanation.factors if row.name == name)


def said(name: str, **values: float) -> str:
    return str(row_of(name, explained(**values)).sentence)


# --- numbers


@given(LIKELY)
def test_factors_multiply_and_shares_sum_to_one(row: dict[str, float]) -> None:
    explanation = explained(SWITCHED_ON, **row)
    assert explanation.score is not None
    values = [part.value for part in explanation.factors if part.value is not None]
    assert len(values) == len(SCORE_FACTORS)
    assert math.prod(values) == pytest.approx(explanation.score, rel=1e-12)
    shares = [part.loss_share for part in explanation.factors]
    assert sum(share for share in shares if share is not None) == pytest.approx(1.0, rel=1e-12)
    for part in explanation.factors:
        assert part.value is not None
        if part.value >= 1:
            assert part.loss_share == 0


@given(LIKELY)
def test_improvements_raise_score_best_first(row: dict[str, float]) -> None:
    explanation = explained(SWITCHED_ON, **row)
    after = [change.score_after for change in explanation.improvements]
    assert len(after) <= 3
    assert after == sorted(after, reverse=True)
    for change in explanation.improvements:
        assert change.score_before == explanation.score
        assert change.score_after > change.score_before


@given(ANYTHING)
def test_any_input_has_texts(row: dict[str, float]) -> None:
    inputs = RankingInputs.from_values(**row)
    explanation = explain_score(inputs, SWITCHED_ON, {"password": "because"})
    for text in (
        explanation.headline,
        explanation.if_you_join,
        *(note for part in explanation.factors for note in (part.title, part.sentence, *part.notes)),
        *(change.description for change in explanation.improvements),
    ):
        assert "nan" not in str(text)
        assert "{" not in str(text)
    assert format_choice_reasons(choice_reasons(inputs, SWITCHED_ON)).endswith(".")


def test_no_loss_has_share_zero() -> None:
    assert loss_shares({"a": 0.5, "b": 2.0, "c": 0.25}) == pytest.approx({"a": 1 / 3, "b": 0.0, "c": 2 / 3})
    assert loss_shares({"a": 1.0, "b": 2.0}) == {"a": 0.0, "b": 0.0}


def test_no_shares_of_zero_or_unknown_score() -> None:
    assert loss_shares({"a": 1e-200, "b": 1e-200}) == {"a": None, "b": None}
    assert loss_shares({"a": 0.0, "b": 0.5}) == {"a": None, "b": None}
    assert loss_shares({"a": math.nan, "b": 0.5}) == {"a": None, "b": None}


def test_exactly_one_server() -> None:
    with pytest.raises(ValueError, match="one server"):
        explain_score(RankingInputs(players=np.zeros(2)), RankingConstants())


# --- texts

THIRD_HIVE = {
    "players": 17.0,
    "usable_slots": 24.0,
    "ping_ms": 47.0,
    "performance": 62.0,
    "server_skill": 2080.0,
    "player_skill": 1640.0,
}


def test_complete_explanation() -> None:
    explanation = explained(**THIRD_HIVE)
    assert explanation.score == pytest.approx(0.326, abs=5e-4)
    assert str(explanation.headline) == "Biggest penalty: skill."
    assert [(str(row.title), str(row.sentence)) for row in explanation.displayed_factors] == [
        ("Skill", "Their average skill is 2 080, yours 1 640 (z\u00a0=\u00a05.1)."),
        (
            "Players",
            "17 of 24 playing: a good game already. It needs no more players, so it scores less than one that does.",
        ),
        ("Ping", "Good ping: 47 ms. 20 ms would make it 0.88."),
        ("Performance", "Reported 62: more than 10 makes little difference."),
        ("Joinable", "7 slots free for you."),
        ("Favourite", "Not a favourite (would double the score)."),
    ]
    changes = [
        (str(change.description), f"{change.score_before:.2f}", f"{change.score_after:.2f}")
        for change in explanation.improvements
    ]
    assert changes == [
        ("If added to favourites", "0.33", "0.65"),
        ("Skill equal to yours", "0.33", "0.54"),
        ("Ping 20 ms instead of 47", "0.33", "0.36"),
    ]
    assert str(explanation.if_you_join) == (
        "With you the score would be 0.315 instead of 0.326: it favours servers that need players."
    )


def player_count_changes(**values: float) -> list[str]:
    improvements = explained(ping_ms=40.0, favourite=1, **values).improvements
    return [str(change.description) for change in improvements if "Ping" not in str(change.description)]


def test_no_improvement_by_fewer_players() -> None:
    fewer, now = (explained(players=float(number), usable_slots=24.0, ping_ms=40.0).score or 0.0 for number in (14, 20))
    assert fewer > now  # it favours servers that need players
    assert player_count_changes(players=20.0, usable_slots=24.0) == []
    assert player_count_changes(players=10.0, usable_slots=24.0) == ["3 more players (13)"]
    assert player_count_changes(players=11.0, usable_slots=13.0) == ["1 more player (12)"]


def test_full_server_improves_by_free_slot() -> None:
    assert player_count_changes(players=16.0, usable_slots=16.0) == ["When a slot is free"]
    assert player_count_changes(players=19.0, usable_slots=16.0) == ["When a slot is free"]
    assert player_count_changes(players=16.0, usable_slots=16.0, can_join=0) == []
    assert player_count_changes(players=0.0, usable_slots=0.0) == []


def test_source_of_own_skill_where_skill_counts() -> None:
    source = TranslatableText("Yours is the in-game skill.")
    for values, counts in ((THIRD_HIVE, True), ({**THIRD_HIVE, "players": 1.0}, False)):
        explanation = explain_score(RankingInputs.from_values(**values), SEED, own_skill_source=source)
        assert str(row_of("skill", explanation).sentence).endswith(str(source)) == counts


def test_displayed_factors_by_loss() -> None:
    shares = [row.loss_share or 0.0 for row in explained(**THIRD_HIVE).displayed_factors]
    assert shares == sorted(shares, reverse=True)
    blocked = explained(SWITCHED_ON, **THIRD_HIVE, blocked=True)
    assert blocked.displayed_factors[0].name == "blocked"
    assert {row.name for row in blocked.displayed_factors} == {*PUBLISHED_FACTORS, "blocked"}
    assert str(blocked.headline) == "Biggest penalty: “Blocked”."


@pytest.mark.parametrize(
    ("name", "values", "sentence"),
    [
        (
            "players",
            {"players": 3, "usable_slots": 24, "ping_ms": 50},
            "3 of 24 playing: too few for a good game so far. One more player helps.",
        ),
        (
            "players",
            {"players": 12, "usable_slots": 24, "ping_ms": 50},
            "12 of 24 playing: a good game already. One more player helps.",
        ),
        (
            "players",
            {"players": 13, "usable_slots": 24, "ping_ms": 50},
            "13 of 24 playing: a good game already. It needs no more players, so it scores less than one that does.",
        ),
        (
            "players",
            {"players": 10, "usable_slots": 11, "ping_ms": 50},
            "10 of 11 playing: almost enough for a good game. One more player takes the last slot.",
        ),
        ("players", {"players": 24, "usable_slots": 24}, "24 of 24 playing: no free slots."),
        ("players", {"players": 23, "usable_slots": 20}, "23 playing, no unreserved slot free."),
        ("players", {}, "Player count unknown, so the server is not ranked."),
        ("ping", {"ping_ms": 132}, "Poor ping: 132 ms. 40 ms would make it 0.82."),
        ("ping", {"ping_ms": 80}, "Fair ping: 80 ms. 20 ms would make it 0.88."),
        ("ping", {"ping_ms": 0.4}, "Good ping: <1 ms."),
        ("ping", {"ping_ms": 20.4}, "Good ping: 20 ms."),
        ("ping", {}, "Ping unknown, so the server is not ranked."),
        ("performance", {"performance": -12}, "Reported −12: the server is overloaded."),
        ("performance", {}, "This game does not report performance, so it is ignored."),
        (
            "performance",
            {"reports_performance": 1},
            "The server does not report its performance: counts as 0.",
        ),
        ("skill", {"server_skill": 2000}, "Your skill is unknown, so skill is ignored."),
        ("skill", {"player_skill": 2000}, "The players’ skill is unknown, so skill is ignored."),
        ("joinable", {"players": 24, "usable_slots": 24}, "Full: factor 0.05 until a slot is free."),
        ("joinable", {"players": 24, "usable_slots": 24, "can_join": 0}, "Full: factor 0.05 until a slot is free."),
        ("joinable", {"players": 2, "can_join": 0}, "The server accepts no players now: factor 0.05."),
        ("joinable", {"players": 23, "usable_slots": 24}, "1 slot free for you."),
        ("joinable", {"players": 2, "usable_slots": 24, "password": 1}, "Needs a password. Free slots: 22."),
        (
            "joinable",
            {"players": 2, "usable_slots": 24, "password": 1, "password_saved": 1},
            "Free slots: 22, with your saved password.",
        ),
        ("favorite", {"favourite": 1}, "Your favourite: score ×2."),
    ],
)
def test_sentences(name: str, values: dict[str, float], sentence: str) -> None:
    assert said(name, **values) == sentence


def test_additional_factor_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    crowded = ScoreFactor(lambda inputs, _: np.where(inputs.players > 16, 0.5, 1.0), "Crowd", "Crowded: {value}.")
    monkeypatch.setitem(SCORE_FACTORS, "crowd", crowded)
    crowd = row_of("crowd", explained(players=17, usable_slots=24))
    assert (crowd.value, crowd.input_value, str(crowd.title), str(crowd.sentence)) == (
        0.5,
        None,
        "Crowd",
        "Crowded: 0.5.",
    )


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (10, "Joining raises the score from 0.470 to 0.561."),
        (15, "With you the score would be 0.552 instead of 0.578: it favours servers that need players."),
        (21, "Joining changes the score little."),
        (23, "Joining takes the last slot."),
        (24, "You cannot join this server right now."),
    ],
)
def test_effect_of_joining(players: int, sentence: str) -> None:
    assert str(explained(players=players, usable_slots=24, ping_ms=50).if_you_join) == sentence


def test_unknown_effect_of_joining() -> None:
    assert str(explained(ping_ms=20).if_you_join) == "Player count unknown, so the effect of joining is unknown."
    assert str(explained(players=3).if_you_join) == "Ping unknown, so the effect of joining is unknown."


GAMES = load_games(resource_folder() / "games")
EVERY_MODE = [constants for game in GAMES.values() for constants in (game.ranking, *game.mode_ranking.values())]


@given(LIKELY, st.sampled_from([SEED, SWITCHED_ON, *EVERY_MODE]))
def test_words_follow_slope_of_score(row: dict[str, float], constants: RankingConstants) -> None:
    """A text about one more player says what the score does then."""
    before, after = explained(constants, **row), explained(constants, **{**row, "players": row["players"] + 1})
    assert before.score is not None
    assert after.score is not None
    inputs = RankingInputs.from_values(**row)
    texts = " ".join(
        (
            str(row_of("players", before).sentence),
            str(before.if_you_join),
            format_choice_reasons(choice_reasons(inputs, constants)),
        )
    )
    change = after.score / before.score - 1
    is_last = row["players"] + 1 == row["usable_slots"]
    assert ("One more player helps. " in texts) == ("one more player helps" in texts)
    assert ("one more player helps" in texts) <= (change > 0)
    assert ("raises the score" in texts) <= (change > 0)
    assert ("needs no more" in texts or "With you the score" in texts) <= (change < 0)
    assert ("needs no more" in texts) <= ("good game already" in texts)
    assert ("One more player changes little" in texts) <= (abs(change) <= 0.01)
    assert ("last slot" in texts) == is_last
    assert ("Joining" in texts or "With you" in texts) == (row["players"] < row["usable_slots"])


def test_unranked_server() -> None:
    silent, uncounted = explained(players=12, usable_slots=24), explained(ping_ms=20)
    assert (silent.score, uncounted.score) == (None, None)
    assert (silent.improvements, uncounted.improvements) == ((), ())
    assert str(silent.headline) == "Not ranked: ping unknown."
    assert str(uncounted.headline) == "Not ranked: player count unknown."
    assert all(row.loss_share is None for row in silent.factors)


def test_skill_spread_note() -> None:
    notes = row_of("skill", explained(**THIRD_HIVE)).notes
    assert [str(note) for note in notes] == ["Skill spread: 346 points (assumed)."]


def test_changed_constants_with_reason() -> None:
    duel = RankingConstants(viability_midpoint=1.5, ping_centre_ms=80)
    explanation = explain_score(
        RankingInputs.from_values(players=1, usable_slots=2, ping_ms=30),
        duel,
        {"viability_midpoint": "a {duel} is for two"},
    )
    assert [str(note) for note in row_of("players", explanation).notes] == [
        "Players needed for 50 % activity: 1.5 here, default 12 (a {duel} is for two)."
    ]
    assert [str(note) for note in row_of("ping", explanation).notes] == [
        "Ping for a factor of 0.5, in ms: 80 here, default 100."
    ]
    assert row_of("joinable", explanation).notes == ()


def test_nested_sentences_are_translated() -> None:
    german = {"{first} {second}": "{first} – {second}", "Good ping: {ping} ms.": "Guter Ping: {ping} ms", "no": "nein"}
    inner = TranslatableText("Good ping: {ping} ms.", ping="12")
    sentence = TranslatableText("{first} {second}", first=inner, second=TranslatableText("no"))
    assert sentence.translated(lambda text: german[text]) == "Guter Ping: 12 ms – nein"


def test_number_formats() -> None:
    assert [integer_text(2080), integer_text(-12), integer_text(math.nan)] == ["2\u202f080", "−12", "–"]
    texts = [format_factor(value) for value in (0.8176, 0.05, 0.9999, 1.5, 2.0, 1e-6, 1e-9, 0.0, math.inf, 0.6)]
    assert texts == ["0.82", "0.05", "1", "1.5", "2", "0.000001", "<0.000001", "0", "∞", "0.6"]


def test_factor_decimals_align() -> None:
    assert [format_aligned_factor(value) for value in (0.9, 0.6, 0.123, 0.05, 0.9999, 1.0, 2.0)] == [
        *("0.90", "0.60", "0.12", "0.05", "1", "1", "2")
    ]


# --- reasons of a choice


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (
            {"players": 13, "usable_slots": 24, "ping_ms": 34, "server_skill": 1720, "player_skill": 1640},
            "13 playing, 11 slots free, 34 ms; a good game already; skill like yours.",
        ),
        ({"players": 0, "usable_slots": 24, "ping_ms": 80}, "0 playing, 24 slots free, 80 ms; one more player helps."),
        (
            {"players": 23, "usable_slots": 24, "ping_ms": 180},
            "23 playing, 1 slot free, 180 ms; a good game already; high ping.",
        ),
        (
            {"players": 4, "usable_slots": 24, "ping_ms": 0.3, "favourite": 1, "recently_left": 1},
            "4 playing, 20 slots free, <1 ms; one more player helps; your favourite; you left recently.",
        ),
        (
            {"players": 11, "usable_slots": 24, "ping_ms": 30, "server_skill": 3000, "player_skill": 1000},
            "11 playing, 13 slots free, 30 ms; almost a good game; one more player changes little; "
            "players stronger than you.",
        ),
        (
            {"players": 17, "usable_slots": 24, "ping_ms": 30, "performance": -20},
            "17 playing, 7 slots free, 30 ms; a good game already; server overloaded.",
        ),
        (
            {"players": 14, "ping_ms": 30},
            "14 playing, slots unknown, 30 ms; a good game already; one more player helps.",
        ),
        ({"players": 24, "usable_slots": 24, "ping_ms": 30}, "24 playing, no slot free, 30 ms; a good game already."),
        (
            {"players": 24, "usable_slots": 24, "ping_ms": 30, "can_join": 0},
            "24 playing, no slot free, 30 ms; a good game already.",
        ),
        ({"players": 2, "usable_slots": 24, "ping_ms": 30, "can_join": 0}, "2 playing, not joinable now, 30 ms."),
    ],
)
def test_choice_reasons(values: dict[str, float], sentence: str) -> None:
    assert format_choice_reasons(choice_reasons(RankingInputs.from_values(**values), RankingConstants())) == sentence
