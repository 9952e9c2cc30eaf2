"""The Servers view: table, columns, order and status texts."""
