"""The picture of a finished match, to be sent around: drawn by the server, for anybody.

It is an SVG that needs nothing else (letters are outlines), and a PNG made of it for messengers and
networks that show no SVG.
"""
