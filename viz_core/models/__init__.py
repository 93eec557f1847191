"""One file per architecture. A forward pass is pure: it returns its attention, keeps nothing."""
