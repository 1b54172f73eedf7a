"""The pages of the deals of the day: today's, one day's results, a picture to share."""
