"""The pages of the documentation, and what makes them a site (`docs.building`)."""
