"""The ground floor of what is measured: metrics, lines of the log, whose work it is."""
