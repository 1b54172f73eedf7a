"""What pages are made of; each page and table takes from here."""
