"""The account pages. Allauth signs people up, in and out; what differs for guests is here."""
