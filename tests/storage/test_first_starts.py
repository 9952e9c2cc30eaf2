"""Two programs that start for the first time at once: both keep everything."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from browser_app.storage.database import open_database


def test_both_open_the_file(tmp_path: Path) -> None:
    for attempt in range(10):
        folder = tmp_path / str(attempt)
        together = threading.Barrier(2)

        def start(folder: Path = folder, together: threading.Barrier = together) -> str | None:
            together.wait()
            database = open_database(folder)
            database.close()
            return database.notice

        with ThreadPoolExecutor(2) as pool:
            notices = [future.result() for future in [pool.submit(start) for _ in range(2)]]
        assert notices == [None, None]
