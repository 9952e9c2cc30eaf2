"""Launch arguments of single servers."""

import pytest

from browser_app.launch.launch_arguments import LaunchError
from browser_app.paths import user_paths
from browser_app.protocols.address import Address
from browser_app.storage.user_session import UserSession

HERE, THERE = Address("192.0.2.1", 27015), Address("192.0.2.2", 27015)


def test_texts_survive_restart() -> None:
    with UserSession(user_paths()) as session:
        session.launch_arguments.set(HERE, " +set r_mode 4 ")
        session.launch_arguments.set(THERE, "-nosound")
        session.launch_arguments.set(THERE, "")
    with UserSession(user_paths()) as session:
        assert session.launch_arguments.get(HERE) == "+set r_mode 4"
        assert session.launch_arguments.all() == {HERE: "+set r_mode 4"}


def test_invalid_text_is_rejected() -> None:
    with UserSession(user_paths()) as session:
        session.launch_arguments.set(HERE, "-nosound")
        with pytest.raises(LaunchError):
            session.launch_arguments.set(HERE, "+set name 'open")
        assert session.launch_arguments.get(HERE) == "-nosound"
