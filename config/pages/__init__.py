"""What every page has in common: middleware, compression, the way back, refused pages."""
