"""The work queue on Redis Streams: leases, lanes, pace, and questions that were given up."""
