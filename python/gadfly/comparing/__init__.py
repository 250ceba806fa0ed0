"""Whether two outcomes of the same code are the same: values as snapshots, and how snapshots are compared."""
