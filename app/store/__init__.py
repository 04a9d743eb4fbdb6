"""What is kept: the log, snapshots, deadlines, keys. Nothing above knows which database it is."""
