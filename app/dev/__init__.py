"""For contributors: a server that follows changes of its files, and tables to try a game with."""
