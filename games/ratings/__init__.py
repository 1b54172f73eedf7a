"""How strong the bots of this service are: each night they play each other and are rated."""
