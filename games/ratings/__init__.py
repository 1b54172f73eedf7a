"""How strong people and computers are.

The computers play each other every night (``services``). People are rated by the matches that they
finish (``people``), on the same scale.
"""
