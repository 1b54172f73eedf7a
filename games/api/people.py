"""People: their profiles and the matches that everybody may see of them."""

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.social.friend_lines import line_between
from accounts.social.refusals import NoSuchAccount
from accounts.social.selectors import person_by_username
from config.api.pagination import page
from config.api.refusals import Malformed
from config.api.schema import PAGE_PARAMETERS, refusals
from games.api.schemas.match_answers import summary_response
from games.api.schemas.matches import MatchList
from games.api.schemas.people import UserProfile, profile_response
from games.api.text.plain_text import PlainText
from games.matches.selectors.watched import as_listed
from games.people.profiles import profile_of, results_of


class UserDetail(APIView):
    plain_text = PlainText
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="user",
        summary="Read a profile",
        tags=["watching"],
        responses={200: UserProfile, **refusals(NoSuchAccount)},
    )
    def get(self, request: Request, username: str) -> Response:
        """What everybody may know of a person. Needs no key.

        A name that nobody has, a guest's, and a person who hides from you are one answer.
        """
        reader = request.user.pk
        profile = profile_of(reader, username)
        line = line_between(reader, profile.person) if reader else None
        return Response(profile_response(profile, line))


class UserMatches(APIView):
    plain_text = PlainText
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="user_matches",
        summary="List the matches of a person",
        tags=["watching"],
        parameters=PAGE_PARAMETERS,
        responses={200: MatchList, **refusals(NoSuchAccount, Malformed)},
    )
    def get(self, request: Request, username: str) -> Response:
        """Their public matches that are over and count, newest first; your own are all listed."""
        reader = request.user.pk
        person = person_by_username(reader, username)
        rows, following = page(results_of(person, reader), request, by="-match_id")
        listed = as_listed([row.match for row in rows], reader)
        matches = [summary_response(match, reader) for match in listed]
        return Response(MatchList(matches, following))
