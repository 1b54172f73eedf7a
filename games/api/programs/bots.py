"""Bot accounts over the API: becoming one, confirming one, and the public list."""

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.signing_in.signed_in import signed_in
from config.api.answers import created
from config.api.json import body_of, query_of
from config.api.refusals import Malformed
from config.api.schema import refusals
from config.refusals import NotAllowed
from games.api.parameters import query_parameters
from games.api.schemas.programs.bots import (
    BotAccount,
    BotChange,
    BotList,
    BotsQuery,
    NewBot,
    bot_response,
)
from games.bot_accounts import becoming, selectors
from games.bot_accounts.refusals import (
    AlreadyABotAccount,
    BadProgram,
    HasPlayedRated,
    NoSuchBotAccount,
    NotAnOwner,
    TooManyPrograms,
)
from games.matches.refusals import UnknownUser


class Bots(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="bots",
        summary="List bot accounts",
        tags=["playing"],
        parameters=query_parameters(BotsQuery),
        responses={200: BotList, **refusals(Malformed)},
    )
    def get(self, request: Request) -> Response:
        """Accounts with which programs play: 200 at most, those that are online first."""
        query = query_of(request, BotsQuery)
        rows = selectors.bot_accounts(request.user.pk, query.game)
        return Response(
            BotList([bot_response(one) for one in rows if one.is_free or not query.online])
        )


class MyBot(APIView):
    read_scope = "account"
    write_scope = "account"
    own_key_only = ("POST",)  # nobody undoes what is confirmed

    @extend_schema(
        operation_id="my_bot",
        summary="Read your bot account",
        tags=["accounts"],
        responses={200: BotAccount, **refusals(NoSuchBotAccount)},
    )
    def get(self, request: Request) -> Response:
        """What the caller has asked for, and whether the owner has confirmed."""
        row = selectors.program_of(signed_in(request).pk)
        if row is None:
            raise NoSuchBotAccount
        return Response(bot_response(selectors.listed(row)))

    @extend_schema(
        operation_id="become_bot",
        summary="Become a bot account",
        tags=["accounts"],
        request=NewBot,
        responses={
            201: BotAccount,
            **refusals(
                Malformed,
                NotAllowed,
                UnknownUser,
                NotAnOwner,
                HasPlayedRated,
                AlreadyABotAccount,
                TooManyPrograms,
                BadProgram,
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """Asks `owner` to answer for the caller's program. Once they confirm, there is no way back.

        A bot account's name ends in BOT, it plays by the API only, and is rated with the computers.
        An account that has played rated matches stays a person's.
        """
        body = body_of(request, NewBot)
        row = becoming.ask(account=signed_in(request), owner=body.owner, manners=body.manners)
        return created(bot_response(selectors.listed(row)), "accounts/me/bot")

    @extend_schema(
        operation_id="change_bot",
        summary="Change what your program plays",
        tags=["accounts"],
        request=BotChange,
        responses={200: BotAccount, **refusals(Malformed, NoSuchBotAccount, BadProgram)},
    )
    def patch(self, request: Request) -> Response:
        """Its description, games, paces, and how many matches it plays at once."""
        changes = body_of(request, BotChange).changes
        row = becoming.change(account=signed_in(request), **changes)
        return Response(bot_response(selectors.listed(row)))


class MyBots(APIView):
    read_scope = "account"

    @extend_schema(
        operation_id="my_bots",
        summary="List the bot accounts that you own",
        tags=["accounts"],
        responses={200: BotList},
    )
    def get(self, request: Request) -> Response:
        """Those for which the caller answers, and those that ask."""
        rows = selectors.programs_of(signed_in(request))
        return Response(BotList([bot_response(one) for one in rows]))


class OwnedBot(APIView):
    write_scope = "account"
    own_key_only = ("PUT",)

    @extend_schema(
        operation_id="confirm_bot",
        summary="Confirm a bot account",
        tags=["accounts"],
        request=None,
        responses={
            200: BotAccount,
            **refusals(
                NoSuchBotAccount, NotAllowed, HasPlayedRated, AlreadyABotAccount, BadProgram
            ),
        },
    )
    def put(self, request: Request, username: str) -> Response:
        """The caller answers for the program of this account. Again is no error."""
        row = becoming.confirm(owner=signed_in(request), username=username)
        return Response(bot_response(selectors.listed(row)))

    @extend_schema(
        operation_id="refuse_bot",
        summary="Refuse a bot account",
        tags=["accounts"],
        responses={204: None, **refusals(NoSuchBotAccount, AlreadyABotAccount)},
    )
    def delete(self, request: Request, username: str) -> Response:
        """The caller does not answer for this program; one that is confirmed stays."""
        becoming.refuse(owner=signed_in(request), username=username)
        return Response(status=204)
