"""The command line: each module parses arguments, calls one function, prints, and gives the exit code."""
