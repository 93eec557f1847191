"""Pictures of traces. Each function takes a record and returns a chart; none of them does I/O."""
