"""What a support lead looks after: findings, gaps, corrections, feedback, posts that can be taken back."""
