"""What the nights do: retention, audits of records, missed nights made up."""
