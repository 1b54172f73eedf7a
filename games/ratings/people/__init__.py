"""How strong people are, by the matches that they finished: rated, listed, compared.

A rating is a fold: the rated matches of a board in the order in which they finished, each of which
changes the beliefs of its seats (``games.ratings.strengths``). ``rating`` keeps the fold as rows,
with the beliefs before and after, so that a match that is taken out of the ratings is taken back
exactly; ``recount`` proves the rows from the matches.
"""
