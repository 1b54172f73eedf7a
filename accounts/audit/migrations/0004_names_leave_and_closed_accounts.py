"""The name of an erased person leaves the audit log; accounts that were closed are suspended.

The trigger lets one thing through: a subject in which a name became "Deleted player". Accounts
whose "Active" was unticked in the admin get the suspension that they lacked: it is the one way to
stop a person, and it can be lifted.
"""

from django.db import migrations

FUNCTION = """
CREATE OR REPLACE FUNCTION audit_entry_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {}RAISE EXCEPTION 'The audit log is append-only: % is refused.', TG_OP
        USING ERRCODE = 'restrict_violation';
END $$;
"""
REDACTION = """IF TG_OP = 'UPDATE' THEN
        IF to_jsonb(NEW) - 'subject' = to_jsonb(OLD) - 'subject'
            AND position('Deleted player' IN NEW.subject) > 0
        THEN
            RETURN NEW;
        END IF;
    END IF;
    """
SUSPENDED = """
INSERT INTO audit_suspension (user_id, at, until, reason, by, lifted_at)
SELECT u.id, now(), NULL, 'Made inactive in the admin, before this was a suspension.',
    'cardroom', NULL
FROM accounts_user u
WHERE NOT u.is_active AND u.username NOT LIKE 'deleted-%' AND u.username NOT LIKE 'imported-%'
    AND NOT EXISTS (
        SELECT 1 FROM audit_suspension s WHERE s.user_id = u.id AND s.lifted_at IS NULL
    );
"""


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0009_in_archive"),
        ("audit", "0003_message_to_a_person"),
    ]

    operations = [
        migrations.RunSQL(FUNCTION.format(REDACTION), FUNCTION.format("")),
        migrations.RunSQL(SUSPENDED, migrations.RunSQL.noop),
    ]
