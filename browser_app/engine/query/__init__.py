"""UDP queries of game servers: scanner, scheduling and sockets."""
