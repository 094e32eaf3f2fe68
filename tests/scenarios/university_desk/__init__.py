"""A made-up university's IT desk: 36 articles and 25 tickets in German and English, and 75 questions."""
