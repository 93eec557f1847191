"""What charts are made of: colours, cells, panels, text."""
