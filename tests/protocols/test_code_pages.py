"""Code pages as users name them."""

import pytest

from browser_app.protocols.address import Address
from browser_app.protocols.code_pages import parse_server_code_page, parse_server_code_pages


@pytest.mark.parametrize(
    ("named", "code_page"),
    [("1251", "cp1251"), ("Windows-1250", "cp1250"), ("CP936", "cp936"), ("UTF-8", "utf-8"), ("utf8", "utf-8")],
)
def test_names_of_code_pages(named: str, code_page: str) -> None:
    assert parse_server_code_page(f" 192.0.2.7:7777  {named} ") == (Address("192.0.2.7", 7777), code_page)
    assert "Rig".encode(code_page) == b"Rig"


@pytest.mark.parametrize(
    "line", ["", "192.0.2.7:7777", "192.0.2.7 1251", "1251", "192.0.2.7:7777 12", "192.0.2.7:7777 rot13"]
)
def test_invalid_lines(line: str) -> None:
    with pytest.raises(ValueError, match=r"port|address|host|code page"):
        parse_server_code_page(line)


def test_last_line_of_a_server_counts() -> None:
    lines = ("Play.Example:7777 1251", "192.0.2.7:7777 1250", "play.example:7777 874")
    expected = {Address("play.example", 7777): "cp874", Address("192.0.2.7", 7777): "cp1250"}
    assert parse_server_code_pages(lines) == expected
