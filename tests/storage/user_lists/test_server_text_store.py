"""Launch arguments of single servers."""

import pytest

from browser_app.launch.launch_arguments import LaunchError
from browser_app.paths import user_paths
from browser_app.protocols.address import Address
from browser_app.storage.user_storage import UserStorage

HERE, THERE = Address("192.0.2.1", 27015), Address("192.0.2.2", 27015)


def test_texts_survive_restart() -> None:
    with UserStorage(user_paths()) as storage:
        storage.launch_arguments.set(HERE, " +set r_mode 4 ")
        storage.launch_arguments.set(THERE, "-nosound")
        storage.launch_arguments.set(THERE, "")
    with UserStorage(user_paths()) as storage:
        assert storage.launch_arguments.get(HERE) == "+set r_mode 4"
        assert storage.launch_arguments.all() == {HERE: "+set r_mode 4"}


def test_invalid_text_is_rejected() -> None:
    with UserStorage(user_paths()) as storage:
        storage.launch_arguments.set(HERE, "-nosound")
        with pytest.raises(LaunchError):
            storage.launch_arguments.set(HERE, "+set name 'open")
        assert storage.launch_arguments.get(HERE) == "-nosound"
