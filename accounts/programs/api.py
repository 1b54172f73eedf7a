"""The programs that the caller has registered: their addresses, names and secrets."""

from datetime import datetime
from typing import Annotated, Literal

from allauth.idp.oidc.models import Client
from msgspec import UNSET, Meta, Struct, UnsetType

from accounts.models import KEY_NAME_LENGTH, User
from accounts.programs import services
from config.api.operations import Api, Nothing, given

api = Api("accounts", "accounts/me/programs", read_scope="account", write_scope="account")

Name = Annotated[str, Meta(max_length=KEY_NAME_LENGTH)]
RedirectUris = Annotated[
    tuple[Annotated[str, Meta(max_length=services.LENGTH)], ...],
    Meta(min_length=1, max_length=services.MOST),
]
TERMS = (services.BadProgramName, services.BadRedirect)


class RegisteredProgram(Struct):
    """``people`` have connected it. Until ``both_secrets_until`` the former secret holds, too."""

    client_id: str
    name: str
    kind: Literal["public", "confidential"]
    redirect_uris: list[str]
    people: int
    created_at: datetime
    both_secrets_until: datetime | None

    @classmethod
    def of(cls, client: Client) -> "RegisteredProgram":
        return cls(
            client_id=client.pk,
            name=client.name,
            kind=client.type,
            redirect_uris=client.get_redirect_uris(),
            people=client.people,
            created_at=client.created_at,
            both_secrets_until=client.both_until,
        )


class ProgramSecret(Struct):
    """The ``secret`` is shown now and never again; a public program has none."""

    program: RegisteredProgram
    secret: str | None

    @classmethod
    def of(cls, made: services.NewProgram) -> "ProgramSecret":
        program = services.program_of(made.client.owner, made.client.pk)
        return cls(RegisteredProgram.of(program), made.secret or None)


class RegisteredPrograms(Struct):
    results: list[RegisteredProgram]
    next: str | None = None


class ProgramRegistration(Struct, forbid_unknown_fields=True):
    """``public``: it runs with its users; ``confidential``: on a server that keeps a secret."""

    name: Name
    redirect_uris: RedirectUris
    kind: Literal["public", "confidential"] = "public"


class ProgramChange(Struct, forbid_unknown_fields=True):
    """A field that is left out stays as it is."""

    name: Name | UnsetType = UNSET
    redirect_uris: RedirectUris | UnsetType = UNSET


@api.get()
def registered_programs(user: User) -> RegisteredPrograms:
    """List the programs that you have registered

    At most twenty, the oldest first: programs that other people use with their own accounts.
    """
    return RegisteredPrograms([RegisteredProgram.of(row) for row in services.programs_of(user)])


@api.post(
    own_key=True,
    refuses=[*TERMS, services.TooManyPrograms, services.GuestsRegisterNothing],
    creates="accounts/me/programs",
)
def register_program(user: User, body: ProgramRegistration) -> ProgramSecret:
    """Register a program

    It may ask people for their consent then (OAuth 2.1), by its client id.
    """
    made = services.register(
        owner=user,
        name=body.name,
        redirect_uris=body.redirect_uris,
        confidential=body.kind == "confidential",
    )
    return ProgramSecret.of(made)


@api.patch("/<str:client_id>", own_key=True, refuses=[*TERMS, services.NoSuchProgram])
def change_program(user: User, body: ProgramChange, client_id: str) -> RegisteredProgram:
    """Change the name or the addresses of a program

    Nobody is disconnected: an address that is gone gets no new codes.
    """
    services.change(owner=user, client_id=client_id, **given(body))
    return RegisteredProgram.of(services.program_of(user, client_id))


@api.delete("/<str:client_id>", own_key=True, refuses=[services.NoSuchProgram])
def delete_program(user: User, client_id: str) -> None:
    """Delete a program

    Everybody's connections with it end.
    """
    services.delete_program(owner=user, client_id=client_id)


@api.post(
    "/<str:client_id>/secret",
    body=Nothing,
    own_key=True,
    refuses=[services.NoSuchProgram, services.HasNoSecret],
    creates="accounts/me/programs",
)
def rotate_program_secret(user: User, client_id: str) -> ProgramSecret:
    """Make a new secret for a program

    For a day the former one holds as well, so that nobody is disconnected.
    """
    return ProgramSecret.of(services.rotate(owner=user, client_id=client_id))
