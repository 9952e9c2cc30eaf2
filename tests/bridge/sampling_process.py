"""A program that samples until somebody kills it: says on standard output how many are on the disk, a number a line."""

import sys
import time
from pathlib import Path
from typing import NoReturn

from PySide6.QtCore import QCoreApplication, QTimer

from browser_app.bridge import sample_recorder
from browser_app.bridge.sample_recorder import SampleRecorder
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.protocols.address import Address
from browser_app.storage.database import open_database
from browser_app.storage.server_samples import MAX_SAMPLE_ROWS, ServerSampleStore

SAVE_MS = 200


def answer(number: int) -> QueryResult:
    """From a server that nobody has heard of before."""
    address = Address(f"127.1.{number // 250}.{number % 250}", 27015)
    facts = ServerInfo(None, f"Server {number}", "map", address, 5, 0, 0, 16)
    return QueryResult(QueryTarget(address, "a2s", None), QueryStatus.OK, facts, None, 20.0, False, 1, time.time())


def nobody(*_: object) -> NoReturn:
    raise AssertionError("nobody is asked")


def main(folder: Path) -> None:
    app = QCoreApplication([])
    sample_recorder.SAVE_DELAY_MS = SAVE_MS
    live = ServerListController(Catalogue({}), nobody, nobody, dict, lambda: None)
    database = open_database(folder)
    keeper = SampleRecorder(live, ServerSampleStore(database), lambda: MAX_SAMPLE_ROWS)
    keeper.start()
    heard = 0

    def hear() -> None:
        nonlocal heard
        live.merge_results([answer(heard + i) for i in range(10)])
        heard += 10

    def tell() -> None:
        database.flush()
        sys.stdout.write(f"{heard}\n")
        sys.stdout.flush()

    keeper.samples_saved.connect(tell)
    timer = QTimer(interval=20)
    timer.timeout.connect(hear)
    timer.start()
    app.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
