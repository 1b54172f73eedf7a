"""Live news: each listener gets what happens in its own matches, as its own seat may know it.

``hub`` notices that a match changed, by one subscription to Valkey for the whole process or from
the database, and wakes the listeners. A listener then reads from ``feed`` what it has not sent yet;
the feed reads for all listeners together, in one thread, and holds no connection while it waits. So
nothing is queued for a slow listener: it gets more at once.
"""
