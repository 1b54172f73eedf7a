"""What the generic table calls the fields of the view."""
