"""Below /accounts/notifications/."""

from django.urls import path

from accounts.notifications.web import links, page, webhooks

urlpatterns = [
    path("", page.notifications, name="notifications"),
    path("browsers/<uuid:browser_id>/remove/", page.remove_browser, name="remove_browser"),
    path("webhooks/", webhooks.make, name="make_webhook"),
    path("webhooks/<uuid:webhook_id>/", webhooks.webhook, name="webhook"),
    path("webhooks/<uuid:webhook_id>/change/", webhooks.change, name="change_webhook"),
    path("webhooks/<uuid:webhook_id>/secret/", webhooks.rotate, name="rotate_webhook"),
    path("webhooks/<uuid:webhook_id>/delete/", webhooks.delete, name="delete_webhook"),
    path(
        "webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/",
        webhooks.resend,
        name="resend_delivery",
    ),
    path("confirm/<str:token>/", links.confirm, name="confirm_address"),
    path("unsubscribe/<str:token>/", links.unsubscribe, name="unsubscribe"),
]
