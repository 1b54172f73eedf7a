"""Notifications in time: causes, the channels that people chose, and their deliveries.

A **cause** is a fact about one account: its turn, an invitation, a result. ``outbox.owe`` writes it
in the transaction of what caused it, so that nothing is sent that did not happen and nothing that
happened is forgotten. A **delivery** is one cause on one channel: mail, push or a webhook. The beat
has due deliveries made (`tasks`); everything is off until a person turns it on. This room knows no
game: `games.causes` says which fact of a match becomes a cause.
"""
