"""What there is in the atlas: its pages, figures, talks and published numbers."""
