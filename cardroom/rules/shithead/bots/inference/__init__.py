"""What a seat concludes from the turns of the others: which ranks they lack, and who of them plays
as ``keeper``.
"""
