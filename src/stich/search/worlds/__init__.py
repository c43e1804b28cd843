"""Search over sampled worlds: determinized, with information sets, weighted by a belief."""
