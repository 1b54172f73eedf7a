"""Every write of a side deck. Nothing here knows a request, and nothing here touches a match."""
