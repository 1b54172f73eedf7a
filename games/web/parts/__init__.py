"""Parts of pages; each page and table takes from here."""
