"""The virtual display that tests of real windows are given."""

import socket
from pathlib import Path

import pytest
from virtual_display import virtual_display

SOCKETS = Path("/tmp/.X11-unix")  # noqa: S108 - where X servers listen


@pytest.mark.linux
def test_display_accepts_connections(x_display: str) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(SOCKETS / f"X{x_display.removeprefix(':')}"))


@pytest.mark.posix
def test_ended_server_is_reported() -> None:
    with pytest.raises(RuntimeError, match="named no display"), virtual_display("true"):
        pass
