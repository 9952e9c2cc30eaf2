"""Child: cuts one of a killed database's files at many places.

Opens the database each time.
"""

import json
import shutil
import sys
from pathlib import Path

from truncated_database import WAL_NAME, make_database, offsets, open_truncated

from browser_app.storage.database import DATABASE_FILE_NAME


def main() -> None:
    """Handle the request on standard input."""
    request = json.load(sys.stdin)
    folder = Path(request["folder"])
    folder.mkdir()
    killed, name = make_database(folder), (DATABASE_FILE_NAME, WAL_NAME)[request["file"]]
    results = {at: open_truncated(killed, folder / "cut", name, at) for at in offsets(killed / name, request["step"])}
    shutil.rmtree(folder)
    set_aside = sum(each.set_aside for each in results.values())
    wrong = [f"at byte {at}: {each.wrong}" for at, each in results.items() if each.wrong]
    counts = {"cases": len(results), "readable": len(results) - set_aside, "set_aside": set_aside}
    json.dump({"file": name, **counts, "wrong": wrong}, sys.stdout)


if __name__ == "__main__":
    main()
