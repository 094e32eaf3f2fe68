"""What comes in: who may ask, what is accepted, and what a question wants, alone or after its thread."""
