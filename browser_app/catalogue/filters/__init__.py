"""Filter language: parser, syntax tree, evaluation over columns, server filters."""
