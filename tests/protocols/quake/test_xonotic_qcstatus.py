"""Xonotic's qcstatus, recorded and documented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.quake.xonotic_qcstatus import QCStatus, parse_qcstatus


def test_recorded_team_game() -> None:
    status = parse_qcstatus("ctf:0.7.0:P315:S2:F6:MMinstaGib::score!!:caps!!:5:9:14:8")
    assert status == QCStatus("ctf", "0.7.0", joinable=2, mod="MinstaGib")


def test_recorded_race_is_parsed() -> None:
    status = parse_qcstatus("cts:git:P191:S28:F5:TINVALID:MXDF::fastest<!!")
    assert status == QCStatus("cts", "git", 28, "XDF")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("dm:0.8.6", QCStatus("dm", "0.8.6", None, None)),
        ("dm:0.8.6:S0::", QCStatus("dm", "0.8.6", 0, None)),
        ("dm:0.8.6:Sx:P-1", QCStatus("dm", "0.8.6", None, None)),
        ("dm::S3", QCStatus("dm", "", 3, None)),
        ("dm:0.8.6:Zwhat:S3", QCStatus("dm", "0.8.6", 3, None)),
        ("dm:0.8.6:S3:S9", QCStatus("dm", "0.8.6", 3, None)),
        ("dm:0.8.6:Thttps|//x.org/tos", QCStatus("dm", "0.8.6", None, None)),
        ("dm:0.8.6::S1,b!!:c,d:5:1,-2:14:0,7", QCStatus("dm", "0.8.6", None, None)),
        ("", None),
        ("dm", None),
        (":0.8.6", None),
    ],
)
def test_documented_values(text: str, status: QCStatus | None) -> None:
    assert parse_qcstatus(text) == status


@given(st.text(st.sampled_from("dm:PSFTM,!0123456789-|\u0663"), max_size=60) | st.text())
def test_any_text_can_be_parsed(text: str) -> None:
    status = parse_qcstatus(text)
    assert status is None or status.mode
