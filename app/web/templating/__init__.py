"""Templates, compiled so that the same costs less."""
