"""Small files of the data folder."""
