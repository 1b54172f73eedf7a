"""Programs of third parties: OAuth 2.1 with the authorization code, PKCE and rotating refreshes.

allauth's identity provider brings the clients, their authentication and the checks of requests;
oauthlib the protocol. What both leave open is decided in ``validator``. An access token is a row of
`accounts.models.Key`, so it is accepted exactly where a key is, at the same cost.
"""
