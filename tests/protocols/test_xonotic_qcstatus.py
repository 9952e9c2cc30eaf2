"""Xonotic's qcstatus, recorded and documented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.xonotic_qcstatus import QCStatus, parse_qcstatus


def test_recorded_team_game() -> None:
    status = parse_qcstatus("ctf:0.7.0:P315:S2:F6:MMinstaGib::score!!:caps!!:5:9:14:8")
    assert status == QCStatus(
        mode="ctf",
        version="0.7.0",
        impure=315,
        joinable=2,
        flags=6,
        terms=None,
        mod="MinstaGib",
        player_labels=("score!!",),
        team_labels=("caps!!",),
        team_scores=((5, (9,)), (14, (8,))),
    )
    assert status.has_teams is True


def test_recorded_race() -> None:
    status = parse_qcstatus("cts:git:P191:S28:F5:TINVALID:MXDF::fastest<!!")
    assert status == QCStatus("cts", "git", 191, 28, 5, None, "XDF", ("fastest<!!",))
    assert status.has_teams is False


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("dm:0.8.6", QCStatus("dm", "0.8.6", None, None, None, None, None)),
        ("dm:0.8.6:S0::", QCStatus("dm", "0.8.6", None, 0, None, None, None)),
        ("dm:0.8.6:Sx:P-1", QCStatus("dm", "0.8.6", None, None, None, None, None)),
        ("dm::S3", QCStatus("dm", "", None, 3, None, None, None)),
        ("dm:0.8.6:Zwhat:S3", QCStatus("dm", "0.8.6", None, 3, None, None, None)),
        ("dm:0.8.6:S3:S9", QCStatus("dm", "0.8.6", None, 3, None, None, None)),
        ("dm:0.8.6:Thttps|//x.org/tos", QCStatus("dm", "0.8.6", None, None, None, "https://x.org/tos", None)),
        (
            "dm:0.8.6::a,b!!:c,d:5:1,-2:14:0,7",
            QCStatus(
                "dm", "0.8.6", None, None, None, None, None, ("a", "b!!"), ("c", "d"), ((5, (1, -2)), (14, (0, 7)))
            ),
        ),
        ("dm:0.8.6::a:b:5:1:14", QCStatus("dm", "0.8.6", None, None, None, None, None, ("a",), ("b",), ((5, (1,)),))),
        ("dm:0.8.6::a:b:5:x:14:2", QCStatus("dm", "0.8.6", None, None, None, None, None, ("a",), ("b",))),
        ("", None),
        ("dm", None),
        (":0.8.6", None),
    ],
)
def test_documented_values(text: str, status: QCStatus | None) -> None:
    assert parse_qcstatus(text) == status


def test_has_teams_needs_flags() -> None:
    status = parse_qcstatus("dm:0.8.6")
    assert status is not None
    assert status.has_teams is None


@given(st.text(st.sampled_from("dm:PSFTM,!0123456789-|\u0663"), max_size=60) | st.text())
def test_any_text_can_be_parsed(text: str) -> None:
    status = parse_qcstatus(text)
    assert status is None or status.mode
