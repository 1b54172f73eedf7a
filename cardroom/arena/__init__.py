"""The arena: strategies against each other, games by the thousand, figures with their error.

Pure like the rules it plays with: no Django, no database, no clock but a stopwatch for bots.

Where to look: ``playouts`` plays one match, ``series`` many (the same seed gives the same
figures), ``request`` describes, splits and runs what was asked for (commands and tasks call
nothing else), ``engine`` chooses compiled kernels or the rules, ``compiled_code`` knows which
kernels and searches there are, ``kernels`` holds them against the rules, ``figures``,
``statistics`` and ``reports`` say what came of it, ``ranking`` pairs and rates strategies,
``gauntlet`` plays one of them against each level, ``doctor`` examines a side deck.

Your own strategy
-----------------
Write a function in a module of your own, say ``my_bots.py``, beside ``manage.py`` or anywhere
on the Python path::

    def clever(view, events, rng):
        return max(view.legal_moves)

``view`` is what the seat may know (the game's view class documents each field), ``events`` what
happened in the match so far as this seat saw it, ``rng`` the only source of chance to use, so that
a seed repeats a match. Return one of ``view.legal_moves``. Keep nothing between two calls: a
strategy is called for many seats and matches in any order. When only one move is legal it is
played without calling it.

Then name it by its dotted path wherever a bot's name goes::

    manage.py arena GAME my_bots:clever random --matches 2000 --seed 1
    manage.py simulate GAME --bots my_bots:clever,random --games 1000

A :class:`cardroom.rules.bot.Bot` instead of a function says more: ``remembers="nothing"`` or
``"round"`` spares the arena the work of keeping events the strategy never reads.
"""
