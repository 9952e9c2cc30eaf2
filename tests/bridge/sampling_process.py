"""Program that records samples until it is killed.

It prints the number of samples on the disk, a number a line.
"""

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


def make_result(number: int) -> QueryResult:
    """Return the answer of a new server."""
    address = Address(f"127.1.{number // 250}.{number % 250}", 27015)
    info = ServerInfo(None, f"Server {number}", "map", address, 5, 0, 0, 16)
    return QueryResult(QueryTarget(address, "a2s", None), QueryStatus.OK, info, None, 20.0, False, 1, time.time())


def fail_on_query(*_: object) -> NoReturn:
    raise AssertionError("a server was queried")


def main(folder: Path) -> None:
    app = QCoreApplication([])
    sample_recorder.SAVE_DELAY_MS = SAVE_MS
    server_list = ServerListController(Catalogue({}), fail_on_query, fail_on_query, dict, lambda: None)
    database = open_database(folder)
    recorder = SampleRecorder(server_list, ServerSampleStore(database), lambda: MAX_SAMPLE_ROWS)
    recorder.start()
    received = 0

    def receive() -> None:
        nonlocal received
        server_list.merge_results([make_result(received + i) for i in range(10)])
        received += 10

    def report() -> None:
        database.flush()
        sys.stdout.write(f"{received}\n")
        sys.stdout.flush()

    recorder.samples_saved.connect(report)
    timer = QTimer(interval=20)
    timer.timeout.connect(receive)
    timer.start()
    app.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
