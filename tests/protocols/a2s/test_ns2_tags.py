"""Natural Selection 2's tags and rules, recorded and documented."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_data import expected_recordings
from recorded_packets import a2s_records, session_at

from browser_app.protocols.a2s.ns2_tags import NS2Tags, parse_ns2_average_skill, parse_ns2_tags


def test_tags_of_build_277() -> None:
    named = "CHUD_0x0|P_S2592|shine|NSL|ServerTickrate30|tickrate_29"
    assert parse_ns2_tags(f"277|ns2|M|149|35|34|32|{named}") == NS2Tags(
        build=277,
        mode="ns2",
        performance=34,
        quality=32,
        skill=2592,
        tags=tuple(named.split("|")),
    )


def test_recorded_server(data_dir: Path) -> None:
    recorded = {record.query: record for record in a2s_records(data_dir) if "ns2" in record.kinds}
    info = session_at("info")
    info.receive(recorded["info"].datagrams[0])
    assert info.reply is not None
    tags = parse_ns2_tags(info.reply.info.keywords or "")
    expected = expected_recordings(data_dir)
    assert {key: getattr(tags, key) for key in expected.ns2_tags} == expected.ns2_tags

    rules = session_at("rules")
    rules.receive(recorded["rules"].datagrams[0])
    assert rules.reply is not None
    assert parse_ns2_average_skill(rules.reply.rules or {}) == expected.ns2_average_skill


@pytest.mark.parametrize(
    ("keywords", "tags"),
    [
        ("", NS2Tags()),
        ("344", NS2Tags(build=344)),
        ("344|siege", NS2Tags(build=344, mode="siege")),
        ("344||M", NS2Tags(build=344)),
        ("344|ns2||149|-99|100|0", NS2Tags(344, "ns2", 100, 0)),
        ("344|ns2|149|1|2|3", NS2Tags(344, "ns2", 2, 3)),
        ("344|ns2|-|149|1|2|3", NS2Tags(344, "ns2", 2, 3)),
        ("344|ns2|V|149|1|2|3|shine", NS2Tags(344, "ns2", 2, 3, tags=("shine",))),
        ("344|ns2|M|149|1|2", NS2Tags(344, "ns2")),
        ("344|ns2|M|149|1|-100|101", NS2Tags(344, "ns2")),
        ("344|ns2|M|149|1|101|-1", NS2Tags(344, "ns2")),
        ("344|ns2|M|x|1|2|3", NS2Tags(344, "ns2", tags=("x", "1", "2", "3"))),
        ("P_S644|rookie", NS2Tags(skill=644, tags=("P_S644", "rookie"))),
        ("rookie_only", NS2Tags(rookie_only=True, tags=("rookie_only",))),
        ("P_Snan|R_S2", NS2Tags(reserved=2, tags=("P_Snan", "R_S2"))),
        ("P_S0", NS2Tags(skill=0, tags=("P_S0",))),
        ("P_S20000", NS2Tags(skill=20_000, tags=("P_S20000",))),
        ("P_S20001", NS2Tags(tags=("P_S20001",))),
        ("P_S-5", NS2Tags(skill=0, tags=("P_S-5",))),
        ("ignore_playnow", NS2Tags(ignore_play_now=True, tags=("ignore_playnow",))),
        ("|custom_network_settings||", NS2Tags(tags=("custom_network_settings",))),
    ],
)
def test_documented_tags(keywords: str, tags: NS2Tags) -> None:
    assert parse_ns2_tags(keywords) == tags


@pytest.mark.parametrize(
    ("value", "skill"),
    [
        *((b"1234.5", 1234.5), (b"0", 0), (b"20000", 20_000)),
        *((b"20000.5", None), (b"1e308", None), (b"-1", None)),
        *((b"nan", None), (b"-nan", None), (b"inf", None), (b"", None), (b"many", None)),
    ],
)
def test_average_skill(value: bytes, skill: float | None) -> None:
    assert parse_ns2_average_skill({b"AverageSkill": value}) == skill


WORDS = (
    st.sampled_from(["344", "ns2", "M", "", "149", "-5", "P_S", "P_S1", "R_Sx", "9" * 12, "rookie_only"]) | st.text()
)


@given(st.lists(WORDS, max_size=12).map("|".join))
def test_any_tags_can_be_parsed(keywords: str) -> None:
    tags = parse_ns2_tags(keywords)
    assert tags.performance is None or -99 <= tags.performance <= 100


@given(st.binary())
def test_any_average_skill_can_be_parsed(value: bytes) -> None:
    skill = parse_ns2_average_skill({b"AverageSkill": value})
    assert skill is None or 0 <= skill <= 20_000
