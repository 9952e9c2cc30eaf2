"""The start without a command and without a display."""

import argparse

import pytest

from browser_app.commands import window_command


def test_list_link_names_servers_without_display() -> None:
    link = "readyroom://list?server=a2s://192.0.2.7:27016/ns2/Quiet&server=quake3://192.0.2.8:27960"
    assert window_command._check_server_text(link) == link
    assert window_command._server_urls(link) == ["a2s://192.0.2.7:27016", "quake3://192.0.2.8:27960"]
    with pytest.raises(argparse.ArgumentTypeError, match="server 1: unknown: exec"):
        window_command._check_server_text("readyroom://list?exec=x")
