"""What is kept in Redis besides the work queue, and how it is forgotten."""
