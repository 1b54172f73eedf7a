"""Compiled kernels: whole matches by the hundred thousand, equal to the rules match by match.

Nothing here decides rules. ``cardroom.arena.engine`` chooses between kernels and rules;
web processes never import this package. A kernel is the folder named like the folder of its
game, with one ``KERNEL``: ``play(seeds, options, setups, policies)`` gives an array with a row of
results a match, ``traces(…)`` every state of every match. Each says at its top what it covers.

Where to look: ``compiling`` is Numba or plain Python with its generator, ``kernel`` what all
kernels have in common. ``match`` plays whole matches of a game, ``search`` is the compiled search
of a bot, ``binding`` what these have in common.
"""
