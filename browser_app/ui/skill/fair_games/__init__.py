"""The page Fair games: predicted games on servers, and team balancing."""
