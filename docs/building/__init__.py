"""How the pages of the documentation become a site: `python -m docs.building [FOLDER]`.

The pages are named by `nav` in docs/zensical.toml. A page stands in docs/, or, where code and tests
cite it, elsewhere in the tree (rules, record format, runbook): it is read from there and never
copied. `pages` finds them, `links` makes links that work in the tree work in the site, `outside`
sees to it that no page asks another host for anything or has a script inside, and `__main__` does
one after the other.
"""
