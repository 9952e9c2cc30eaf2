"""What was asked of whom: every question about the user that went to a service on the Internet."""

import sqlite3
from concurrent.futures import Future
from typing import NamedTuple

from browser_app.storage.database import Database

KEEP = 1000
"""So many questions are kept, the newest."""


class KeptQuestion(NamedTuple):
    """One question: when (Unix time, s), of whom, what, and what came, in a word."""

    time: float
    host: str
    what: str
    answer: str


class AskedLog:
    """The questions and their answers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, question: KeptQuestion) -> Future[None]:
        """Note a question; those beyond `KEEP` are forgotten."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO asked (time, host, what, answer) VALUES (?, ?, ?, ?)", question)
            connection.execute("DELETE FROM asked WHERE id <= (SELECT max(id) FROM asked) - ?", (KEEP,))

        return self._database.write(work)

    def newest(self, limit: int = KEEP) -> list[KeptQuestion]:
        """The last questions, newest first.

        Raises:
            StorageError: the file cannot be read.
        """
        query = "SELECT time, host, what, answer FROM asked ORDER BY id DESC LIMIT ?"
        rows = self._database.rows(query, (limit,))
        return [KeptQuestion(*row) for row in rows]
