"""Master servers and other sources of server addresses."""
