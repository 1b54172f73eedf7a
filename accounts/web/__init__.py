"""The account pages. Signing up, in and out are allauth's; guests are told apart here."""
