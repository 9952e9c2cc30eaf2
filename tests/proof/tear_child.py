"""Child: cuts one of a killed database's files at many places.

Opens the database each time.
"""

import json
import shutil
import sys
from pathlib import Path

from torn_files import WAL_NAME, make_database, offsets, tear

from browser_app.storage.database import DATABASE_FILE_NAME


def main() -> None:
    """Do what standard input asks for."""
    request = json.load(sys.stdin)
    folder = Path(request["folder"])
    folder.mkdir()
    killed, name = make_database(folder), (DATABASE_FILE_NAME, WAL_NAME)[request["file"]]
    torn = {at: tear(killed, folder / "cut", name, at) for at in offsets(killed / name, request["step"])}
    shutil.rmtree(folder)
    aside = sum(each.aside for each in torn.values())
    wrong = [f"at byte {at}: {each.wrong}" for at, each in torn.items() if each.wrong]
    counts = {"cases": len(torn), "readable": len(torn) - aside, "aside": aside}
    json.dump({"file": name, **counts, "wrong": wrong}, sys.stdout)


if __name__ == "__main__":
    main()
