"""What every answer is held against before it is posted: closed output, support by its sources, leaks."""
