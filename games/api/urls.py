from django.urls import include, path, re_path

from config.api.errors import no_such_call
from games.api import blocks, catalog, own_account, people, seeks, simulations
from games.api import problems as _refusals  # noqa: F401 - teaches the error handler
from games.api.document.docs import DocsPage, Index, send_document
from games.api.matches import (
    actions,
    agreements,
    matches,
    moves,
    phrases,
    rematches,
    streams,
)
from games.api.records import archives, exports, records
from games.api.tournaments import results, tournaments

urlpatterns = [
    path("games", catalog.Games.as_view()),
    path("matches", matches.Matches.as_view()),
    path("matches/<uuid:match_id>", matches.MatchDetail.as_view()),
    path("matches/<uuid:match_id>/join", actions.MatchJoin.as_view()),
    path("matches/<uuid:match_id>/leave", actions.MatchLeave.as_view()),
    path("matches/<uuid:match_id>/invite", actions.MatchInvite.as_view()),
    path("matches/<uuid:match_id>/abort", actions.MatchAbort.as_view()),
    path("matches/<uuid:match_id>/block", blocks.MatchBlock.as_view()),
    path("matches/<uuid:match_id>/moves", moves.MatchMoves.as_view()),
    path("matches/<uuid:match_id>/resign", actions.MatchResign.as_view()),
    path("matches/<uuid:match_id>/time", actions.MatchTime.as_view()),
    path("matches/<uuid:match_id>/reclaim", actions.MatchReclaim.as_view()),
    path("matches/<uuid:match_id>/take-back", agreements.MatchTakeBack.as_view()),
    path("matches/<uuid:match_id>/take-back/answer", agreements.MatchTakeBackAnswer.as_view()),
    path(
        "matches/<uuid:match_id>/take-back/withdraw", agreements.MatchTakeBackWithdrawal.as_view()
    ),
    path("matches/<uuid:match_id>/claim", agreements.MatchClaim.as_view()),
    path("matches/<uuid:match_id>/call-off", agreements.MatchCallOff.as_view()),
    path("matches/<uuid:match_id>/rematch", rematches.MatchRematch.as_view()),
    path("matches/<uuid:match_id>/events", matches.MatchEvents.as_view()),
    path("matches/<uuid:match_id>/saves", matches.MatchSaves.as_view()),
    path("matches/<uuid:match_id>/shape", matches.MatchShape.as_view()),
    path("matches/<uuid:match_id>/notices", matches.MatchNotices.as_view()),
    path("matches/<uuid:match_id>/phrases", phrases.MatchPhrases.as_view()),
    path("matches/<uuid:match_id>/mute", phrases.MatchMute.as_view()),
    path("matches/<uuid:match_id>/unmute", phrases.MatchUnmute.as_view()),
    path("matches/<uuid:match_id>/load", actions.MatchLoad.as_view()),
    path("matches/<uuid:match_id>/record", records.MatchRecord.as_view()),
    path("matches/<uuid:match_id>/stream", streams.MatchStream.as_view()),
    path("seeks", seeks.Seeks.as_view()),
    path("seeks/<uuid:seek_id>", seeks.SeekDetail.as_view()),
    path("tournaments", tournaments.Tournaments.as_view()),
    path("tournaments/<uuid:tournament_id>", tournaments.TournamentDetail.as_view()),
    path("tournaments/<uuid:tournament_id>/join", tournaments.TournamentJoin.as_view()),
    path("tournaments/<uuid:tournament_id>/withdraw", tournaments.TournamentWithdraw.as_view()),
    path("tournaments/<uuid:tournament_id>/results", results.Results.as_view()),
    path("tournaments/<uuid:tournament_id>/results.csv", results.ResultsTable.as_view()),
    path("stream", streams.AccountStream.as_view()),
    path("users/<str:username>", people.UserDetail.as_view()),
    path("users/<str:username>/matches", people.UserMatches.as_view()),
    path("exports/matches", exports.MatchExport.as_view()),
    path("exports", exports.Exports.as_view()),
    path("exports/<uuid:export_id>", exports.ExportDetail.as_view()),
    path("exports/<uuid:export_id>/file", exports.ExportFile.as_view()),
    path("archives", archives.Archives.as_view()),
    path("archives/<str:day>.jsonl", archives.ArchiveFile.as_view()),
    path("archives/<str:day>.jsonl.sha256", archives.ArchiveChecksum.as_view()),
    path("records/verify", records.RecordVerify.as_view()),
    path("simulations", simulations.Simulations.as_view()),
    path("simulations/<uuid:simulation_id>", simulations.SimulationDetail.as_view()),
    path("simulations/<uuid:simulation_id>/cancel", simulations.SimulationCancel.as_view()),
    path("simulations/<uuid:simulation_id>/plots/<str:name>", simulations.SimulationPlot.as_view()),
    path("accounts/me/data", own_account.MyData.as_view()),
    path("accounts/me/delete", own_account.DeleteMe.as_view()),
    path("accounts/", include("accounts.api.urls")),
    path("", include("decks.api.urls")),
    path("", Index.as_view()),
    path("schema", send_document, name="schema"),
    path("docs", DocsPage.as_view(url_name="schema"), name="docs"),
    re_path(r"[\s\S]*", no_such_call),  # a path converter stops at a line break
]
