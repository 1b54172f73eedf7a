"""People find each other: who wants to play anybody, and who is paired with whom.

A seek is a row, and the row is the outbox: messages only hurry the workers, and the beat finds what
they did not. A match is opened in the transaction that says whose seeks it answers.

Signs of life of a person who waits: a stream that is open (the account's own, or that of any
page of the site), ``POST seeks``, ``GET seeks``, and the page on which one waits. Without one for
``seeking.PATIENCE`` the seek ends. A program that holds no stream asks for its seeks now and then.
"""
