"""Addresses that stand for codes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.protocols.address import Address, parse_address
from browser_app.protocols.server_code import MAX_CODE_LENGTH, address_text, code_address, find_code, is_code_address

CODES = st.from_regex(r"[A-Za-z0-9+._~:/][A-Za-z0-9+._~:/-]{0,119}", fullmatch=True)


@given(CODES)
def test_code_is_found_in_its_address(code: str) -> None:
    address = code_address("ss14s", code)
    assert is_code_address(address)
    assert (find_code(address), address_text(address)) == (code, code)
    assert parse_address(str(address)) == address
    assert code_address("openttd", code) != address


@pytest.mark.parametrize("code", ["", "-n", "a b", 'a"', "a\n", "a;b", "ä", "{code}", "a" * (MAX_CODE_LENGTH + 1)])
def test_other_texts_are_no_codes(code: str) -> None:
    with pytest.raises(ValueError, match="not a server code"):
        code_address("ss14s", code)


@pytest.mark.parametrize(
    "host",
    ["code.invalid", "game.code.invalid", "x1.game.code.invalid", "fvxa.game.code.invalid", "eax.game.code.invalid"],
)
def test_forged_addresses_have_no_code(host: str) -> None:
    assert find_code(Address(host, 1)) is None
    assert address_text(Address(host, 1)) == f"{host}:1"


def test_plain_address_is_no_code() -> None:
    assert not is_code_address(Address("192.0.2.7", 1))
    assert find_code(Address("xcode.invalid", 1)) is None
