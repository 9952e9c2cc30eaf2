import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from browser_app.player.player_identities import (
    MAX_ACCOUNT,
    STEAM_BASE,
    Identity,
    IdentityError,
    IdentityKind,
    VanityNameError,
    choose_identity,
    match_player_ids,
    parse_fingerprint,
    parse_identities,
    parse_name_pattern,
    parse_steam_id,
)

FINGERPRINT = "x+Zk2Sm/Q0l9H7t1vYbN4cWfE6aJrUoPdLgTi8eBqXA="
GABE = "76561197960287930"


@pytest.mark.parametrize(
    "text",
    [
        GABE,
        f" {GABE}\n",
        "22202",
        "STEAM_0:0:11101",
        "steam_1:0:11101",
        "[U:1:22202]",
        "U:1:22202",
        "[U:1:22202:1]",
        f"https://steamcommunity.com/profiles/{GABE}",
        f"http://www.steamcommunity.com/profiles/{GABE}/",
        f"steamcommunity.com/profiles/{GABE}/games/?tab=all",
        "https://steamcommunity.com/profiles/[U:1:22202]",
    ],
)
def test_all_forms_give_same_account(text: str) -> None:
    assert parse_steam_id(text) == GABE


@given(st.integers(1, MAX_ACCOUNT))
@example(1)
@example(MAX_ACCOUNT)
def test_forms_of_any_account_agree(account: int) -> None:
    id64 = str(STEAM_BASE + account)
    forms = [id64, str(account), f"STEAM_0:{account % 2}:{account // 2}", f"[U:1:{account}]"]
    assert {parse_steam_id(form) for form in forms} == {id64}
    me = [Identity("ns2", IdentityKind.STEAM, id64)]
    assert match_player_ids(me, [*forms, str(account + 1), "0"], [None] * 6) == tuple(forms)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "moth",
        "[U:1:0]",
        "STEAM_0:2:11101",
        "STEAM_5:0:11101",
        "[G:1:22202]",
        str(STEAM_BASE),
        str(STEAM_BASE - 1),
        str(STEAM_BASE + MAX_ACCOUNT + 1),
        str(MAX_ACCOUNT + 1),
        "٣٣٣",
        "STEAM_0:0:٣",
        "9" * 5000,
        "-22202",
        "22 202",
        f"https://example.org/profiles/{GABE}",
        f"https://steamcommunity.com.example.org/profiles/{GABE}",
        "https://steamcommunity.com/profiles/",
        "https://steamcommunity.com/id/a b",
        "https://steamcommunity.com/id/../profiles",
    ],
)
def test_invalid_steam_ids(text: str) -> None:
    with pytest.raises(IdentityError) as caught:
        parse_steam_id(text)
    assert not isinstance(caught.value, VanityNameError)
    assert str(caught.value)


@given(st.text(max_size=60))
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    try:
        account = int(parse_steam_id(text)) - STEAM_BASE
    except IdentityError:
        return
    assert 0 < account <= MAX_ACCOUNT


@pytest.mark.parametrize(
    "text", ["steamcommunity.com/id/GabeLoganNewell", "https://steamcommunity.com/id/gabe_1/?xml=1"]
)
def test_vanity_url_needs_lookup(text: str) -> None:
    with pytest.raises(VanityNameError, match="custom URL") as caught:
        parse_steam_id(text)
    assert caught.value.name in text


def test_fingerprints() -> None:
    assert parse_fingerprint(f" {FINGERPRINT}\n") == FINGERPRINT
    assert parse_fingerprint(f"ID-Fingerprint: {FINGERPRINT}") == FINGERPRINT
    for wrong in ("", FINGERPRINT[:-1], FINGERPRINT + "=", FINGERPRINT.replace("+", "-"), "=" * 44):
        with pytest.raises(IdentityError, match="44 characters"):
            parse_fingerprint(wrong)


def test_name_patterns_are_checked() -> None:
    assert parse_name_pattern(" [ns] moth* ") == "[ns] moth*"
    for wrong in ("", "  ", "*", "?*"):
        with pytest.raises(IdentityError, match=r"\* and \?"):
            parse_name_pattern(wrong)
    with pytest.raises(IdentityError, match="Longer than 200"):
        parse_name_pattern("m" * 201)


def test_match_player_ids() -> None:
    ids = ["5", "moth", FINGERPRINT, "9", "player#2", "MOTH [afk]"]
    names = ["krill", None, "someone", "Moth", "LowTide", None]

    def match_ids(*identities: tuple[IdentityKind, str]) -> tuple[str, ...]:
        return match_player_ids([Identity("x", *each) for each in identities], ids, names)

    assert match_ids() == ()
    assert match_ids((IdentityKind.STEAM, str(STEAM_BASE + 5))) == ("5",)
    assert match_ids((IdentityKind.NAME, "moth")) == ("moth", "9")
    assert match_ids((IdentityKind.NAME, "moth [afk]")) == ("MOTH [afk]",)
    assert match_ids((IdentityKind.NAME, "moth*")) == ("moth", "9", "MOTH [afk]")
    assert match_ids((IdentityKind.XONOTIC, FINGERPRINT), (IdentityKind.STEAM, str(STEAM_BASE + 9))) == (
        FINGERPRINT,
        "9",
    )
    assert match_ids((IdentityKind.NAME, "m?th"), (IdentityKind.STEAM, str(STEAM_BASE + 9))) == ("moth", "9")


@pytest.mark.parametrize(
    ("player", "name", "kind", "value"),
    [
        ("22202", "gabe", IdentityKind.STEAM, GABE),
        ("STEAM_1:0:11101", None, IdentityKind.STEAM, GABE),
        (FINGERPRINT, "gabe", IdentityKind.XONOTIC, FINGERPRINT),
        ("gabe [afk]", None, IdentityKind.NAME, "gabe [afk]"),
        ("player#3", "gabe", IdentityKind.NAME, "gabe"),
    ],
)
def test_best_identity(player: str, name: str | None, kind: IdentityKind, value: str) -> None:
    assert choose_identity("x", player, name) == Identity("x", kind, value)


def test_wildcard_in_name_is_escaped() -> None:
    me = choose_identity("x", "*moth*", None)
    assert match_player_ids([me], ("*moth*", "mammoths", "moth"), (None, None, None)) == ("*moth*",)


def test_unknown_kinds_are_left_out() -> None:
    rows = (("ns2", "name", "An*"), ("ns2", "passport", "7"), ("xonotic", "xonotic", "abc="))
    assert parse_identities(rows) == (
        Identity("ns2", IdentityKind.NAME, "An*"),
        Identity("xonotic", IdentityKind.XONOTIC, "abc="),
    )
