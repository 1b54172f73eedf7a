"""Every write of a side deck. Nothing here knows HTTP, and nothing here touches a match."""
