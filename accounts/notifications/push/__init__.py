"""Messages that a browser shows when no page is open (web push, VAPID)."""
