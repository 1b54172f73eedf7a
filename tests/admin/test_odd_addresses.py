"""A query that a list of the admin cannot read is a bad request, whatever is in the address."""

import pytest
from django.contrib import admin
from django.urls import reverse

from accounts.models import User

LISTS = [
    f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
    for model in admin.site._registry
]


@pytest.fixture
def operator(client, transactional_db, settings):
    settings.STAFF_SECOND_FACTOR = False
    client.force_login(User.objects.create_superuser("root", password="x"))
    client.raise_request_exception = False
    return client


def odd_questions(model):
    yield "?p=-5&o=99.x&q=%00"
    for field in model._meta.fields:
        yield f"?{field.name}__gte=x"
        if "Date" in field.get_internal_type():
            yield f"?{field.name}__year=-1"
            yield f"?{field.name}__year=99999999999999999999"


@pytest.mark.sweep
def test_no_address_and_no_choice_is_a_fault_of_ours(operator):
    asked = [
        (reverse(name) + question)
        for name, model in zip(LISTS, admin.site._registry, strict=True)
        for question in odd_questions(model)
    ]
    chosen = {"action": "delete_selected", "_selected_action": ["no-uuid"]}
    answers = {where: operator.get(where).status_code for where in asked}
    answers |= {reverse(name): operator.post(reverse(name), chosen).status_code for name in LISTS}
    assert {where: status for where, status in answers.items() if status >= 500} == {}
    assert 400 in answers.values()
