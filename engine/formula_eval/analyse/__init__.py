"""Questions beyond a single value, answered as plain data."""
