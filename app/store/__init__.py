"""Storage: the log, snapshots, deadlines, keys. Callers do not know which database is used."""
