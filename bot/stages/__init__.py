"""The stages of one question, one module each."""
