"""Learning: lockstep self-play, one file an algorithm, runs that resume where they were stopped, and trained models."""
