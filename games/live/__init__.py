"""What happens, told as it happens: each listener hears of its own matches as its own seat.

``hub`` learns that a match changed, from one subscription to Valkey for the whole process or from
the database, and wakes who listens. A listener then asks ``feed`` what it has not been told; the
feed reads for all who ask at the same time together, in one thread, and holds no connection while
it waits. So nothing is queued for a slow listener: it is told more at once.
"""
