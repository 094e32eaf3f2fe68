"""Mirror of `retrieval/evaluation`."""
