"""Result of a benchmark: tables, and budgets that were kept or exceeded."""

import datetime as dt
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

Cell = float | int | str | None


@dataclass
class Table:
    """Figures in rows; the first column names the row. None is not measured."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[Cell]] = field(default_factory=list)

    def text(self) -> str:
        """Aligned, for a terminal."""
        lines = [[str(column) for column in self.columns], *(list(map(cell_text, row)) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        ruled = [lines[0], ["-" * width for width in widths], *lines[1:]]
        return "\n".join([self.title, *(_aligned(line, widths) for line in ruled)])

    def markdown(self) -> str:
        """Return Markdown for a README."""
        ruler = ["---", *("--:" for _ in self.columns[1:])]
        lines = [self.columns, ruler, *(list(map(cell_text, row)) for row in self.rows)]
        return "\n".join([f"**{self.title}**", "", *(f"| {' | '.join(line)} |" for line in lines)])


@dataclass(frozen=True)
class Budget:
    """A figure that must be at most `limit`, or with `is_minimum` at least `limit`."""

    what: str
    figure: float
    limit: float
    unit: str
    is_minimum: bool = False

    @property
    def kept(self) -> bool:
        """Whether the figure is within the budget; NaN never is."""
        return self.figure >= self.limit if self.is_minimum else self.figure <= self.limit


@dataclass
class Report:
    """Tables and budgets of one benchmark."""

    tables: list[Table] = field(default_factory=list)
    budgets: list[Budget] = field(default_factory=list)

    def text(self) -> str:
        """Return the text for a terminal."""
        return "\n\n".join(table.text() for table in self._all_tables())

    def markdown(self) -> str:
        """Return Markdown for a README."""
        return "\n\n".join(table.markdown() for table in self._all_tables())

    def _all_tables(self) -> list[Table]:
        return [*self.tables, self._budget_table()] if self.budgets else self.tables

    def _budget_table(self) -> Table:
        table = Table("Budgets", ("budget", "limit", "found", ""))
        for each in self.budgets:
            sign = "≥" if each.is_minimum else "≤"
            found = f"{cell_text(each.figure)} {each.unit}"
            verdict = "kept" if each.kept else "BROKEN"
            table.rows.append((each.what, f"{sign} {each.limit:g} {each.unit}", found, verdict))
        return table


def machine() -> str:
    """Return processor, system, Python version and date."""
    return (
        f"{dt.datetime.now(dt.UTC):%Y-%m-%d}, {os.cpu_count()} cores ({_processor()}), "
        f"{platform.system()} {platform.release()}, {platform.python_implementation()} {platform.python_version()}"
    )


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that `share` of all do not exceed; NaN of none."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = [
        word.rjust(width) if number else word.ljust(width)
        for number, (word, width) in enumerate(zip(line, widths, strict=True))
    ]
    return "  ".join([first, *others]).rstrip()


def cell_text(cell: Cell) -> str:
    """Return the text of a table cell."""
    if cell is None or cell != cell:
        return "–"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 100 else f"{cell:.1f}" if abs(cell) >= 10 else f"{cell:.2f}"
    return f"{cell:,}" if isinstance(cell, int) else cell
