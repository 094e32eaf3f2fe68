"""What goes out: the evidence, the quotes made of it, what is told beside them, and what is kept for the buttons."""
