"""What a service takes of a game from outside beside its rules: templates, static files, words.

Each only below the names that are the game's own: a package can neither replace a page of ours nor
change a sentence that we translate.
"""
