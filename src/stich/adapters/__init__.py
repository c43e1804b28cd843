"""Games in the forms that other libraries expect."""
