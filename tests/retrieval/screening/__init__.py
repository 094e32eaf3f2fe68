"""Mirror of `retrieval/screening`."""
