"""The Servers view: table, columns, order, banner and empty page."""
