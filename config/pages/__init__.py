"""Shared by all pages: middleware, compression, redirects, refused pages."""
