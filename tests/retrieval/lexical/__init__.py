"""Mirror of `retrieval/lexical`."""
