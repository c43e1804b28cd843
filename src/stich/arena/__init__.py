"""The arena: matches on equal deals, statistics, ratings, tournaments."""
