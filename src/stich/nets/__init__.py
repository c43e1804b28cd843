"""Shapes of nets, their compiled inference, and models with their cards: what plays a model, without torch."""
