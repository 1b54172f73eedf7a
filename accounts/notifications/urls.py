"""Below /accounts/notifications/."""

from django.urls import path

from accounts.notifications import web

urlpatterns = [
    path("", web.notifications, name="notifications"),
    path("browsers/<uuid:browser_id>/remove/", web.remove_browser, name="remove_browser"),
    path("webhooks/", web.make, name="make_webhook"),
    path("webhooks/<uuid:webhook_id>/", web.webhook, name="webhook"),
    path("webhooks/<uuid:webhook_id>/change/", web.change, name="change_webhook"),
    path("webhooks/<uuid:webhook_id>/secret/", web.rotate, name="rotate_webhook"),
    path("webhooks/<uuid:webhook_id>/delete/", web.delete, name="delete_webhook"),
    path(
        "webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/",
        web.resend,
        name="resend_delivery",
    ),
    path("confirm/<str:token>/", web.confirm, name="confirm_address"),
    path("unsubscribe/<str:token>/", web.unsubscribe, name="unsubscribe"),
]
