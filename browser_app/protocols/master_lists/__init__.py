"""Server lists: JSON, XML and text documents of master servers and communities."""
