"""Mirror of `retrieval/redaction`."""
