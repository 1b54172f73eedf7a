"""Below /api/v1/accounts/me/."""

from django.urls import path

from accounts.notifications.api import browsers, choices, webhooks

urlpatterns = [
    path("notifications", choices.ChoicesView.as_view()),
    path("push", browsers.BrowsersView.as_view()),
    path("push/<uuid:browser_id>", browsers.BrowserView.as_view()),
    path("webhooks", webhooks.WebhooksView.as_view()),
    path("webhooks/<uuid:webhook_id>", webhooks.WebhookView.as_view()),
    path("webhooks/<uuid:webhook_id>/secret", webhooks.SecretView.as_view()),
    path("webhooks/<uuid:webhook_id>/deliveries", webhooks.DeliveriesView.as_view()),
    path(
        "webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/resend",
        webhooks.ResendView.as_view(),
    ),
]
