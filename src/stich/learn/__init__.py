"""Learning: lockstep self-play, one file an algorithm, runs that go on where they were stopped, and trained models."""
