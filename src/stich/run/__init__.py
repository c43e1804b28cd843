"""What several rooms need to run work: worker processes, guards around agents, figures as files."""
