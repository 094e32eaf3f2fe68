"""A made-up chain of hardware shops' internal desk: 36 articles and 25 tickets in English and Spanish, and 82 questions."""
