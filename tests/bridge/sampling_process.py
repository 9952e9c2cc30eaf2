"""A program that samples until somebody kills it: says on standard output how many are on the disk, a number a line."""

import sys
import time
from pathlib import Path
from typing import NoReturn

from PySide6.QtCore import QCoreApplication, QTimer

from browser_app.bridge import sampling
from browser_app.bridge.live_list import LiveList
from browser_app.bridge.sampling import Sampling
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Answer, Facts, Status, Target
from browser_app.protocols.address import Address
from browser_app.storage.database import open_database
from browser_app.storage.samples import MOST_ROWS, Samples

SAVE_MS = 200


def answer(number: int) -> Answer:
    """From a server that nobody has heard of before."""
    address = Address(f"127.1.{number // 250}.{number % 250}", 27015)
    facts = Facts(None, f"Server {number}", "map", address, 5, 0, 0, 16)
    return Answer(Target(address, "a2s", None), Status.OK, facts, None, 20.0, False, 1, time.time())


def nobody(*_: object) -> NoReturn:
    raise AssertionError("nobody is asked")


def main(folder: Path) -> None:
    app = QCoreApplication([])
    sampling.SAVE_MS = SAVE_MS
    live = LiveList(Catalogue({}), nobody, nobody, dict, lambda: None)
    database = open_database(folder)
    keeper = Sampling(live, Samples(database), lambda: MOST_ROWS)
    keeper.start()
    heard = 0

    def hear() -> None:
        nonlocal heard
        live.take([answer(heard + i) for i in range(10)])
        heard += 10

    def tell() -> None:
        database.flush()
        sys.stdout.write(f"{heard}\n")
        sys.stdout.flush()

    keeper.saved.connect(tell)
    timer = QTimer(interval=20)
    timer.timeout.connect(hear)
    timer.start()
    app.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
