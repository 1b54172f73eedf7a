"""Refusals of a channel, an address or a choice."""

from config.refusals import NotFound, Refusal


class BadChoices(Refusal, status=422, members={"faults": list[str]}):
    """These choices cannot be kept."""


class ChannelIsOff(Refusal, status=409):
    """This service does not use this channel: its operators have not set it up."""


class NoAddress(Refusal, status=409):
    """Your account has no e-mail address."""


class GuestsHaveNoWebhooks(Refusal, status=403):
    """Sign up to have webhooks."""


class TooManyWebhooks(Refusal, status=409):
    """You have as many webhooks as one account may. Delete one first."""


class NoSuchTopic(NotFound):
    """There is no such match."""


class TopicIsOver(Refusal, status=409):
    """This match is over: nothing will happen in it."""


class NoSuchWebhook(NotFound):
    """You have no such webhook."""


class NoSuchDelivery(NotFound):
    """There is no such delivery."""


class WebhookIsOff(Refusal, status=409):
    """This webhook is turned off. Turn it on first."""


class TooManyBrowsers(Refusal, status=409):
    """You have as many browsers with messages as one account may. Remove one first."""


class BadSubscription(Refusal, status=422):
    """This is no subscription of a browser."""


class ForbiddenAddress(Refusal, status=422):
    """This address may not be called."""
