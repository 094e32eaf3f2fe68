"""Text and arrays in, ranked passages out. Knows nothing of platforms or settings."""
