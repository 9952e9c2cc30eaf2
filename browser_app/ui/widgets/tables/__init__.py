"""Tables of rows: their models, views and painted cells."""
