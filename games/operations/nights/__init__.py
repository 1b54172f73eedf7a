"""Work of the nights: retention, replay audits, missed nights made up."""
