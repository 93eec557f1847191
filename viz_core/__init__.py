"""The shared core: text -> model -> trace -> chart. Pages add words and widgets."""
