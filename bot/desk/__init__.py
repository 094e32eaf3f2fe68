"""What people ask for besides an answer: a source by its id, similar tickets, incidents above the answers."""
