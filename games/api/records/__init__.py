"""Records over HTTP: one match's, checks, files of many, the nightly archive."""
