"""A made-up parcel desk: 25 documents in four languages, and questions with the facts that their answers need."""
