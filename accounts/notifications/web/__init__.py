"""Notifications on the pages: choices, webhooks, the links of a mail."""
