"""What every game needs and no game is named in: bits, generators, the contract, kernels, the sampler."""
