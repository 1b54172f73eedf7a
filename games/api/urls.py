from django.urls import include, path, re_path

from config.api.errors import no_such_call
from games.api import (
    blocks,
    catalog,
    exports,
    match_actions,
    matches,
    moves,
    record_files,
    records,
    simulations,
    streams,
)
from games.api import problems as _refusals  # noqa: F401 - teaches the error handler
from games.api.docs import DocsPage, Index, send_document

urlpatterns = [
    path("games", catalog.Games.as_view()),
    path("matches", matches.Matches.as_view()),
    path("matches/<uuid:match_id>", matches.MatchDetail.as_view()),
    path("matches/<uuid:match_id>/join", match_actions.MatchJoin.as_view()),
    path("matches/<uuid:match_id>/leave", match_actions.MatchLeave.as_view()),
    path("matches/<uuid:match_id>/invite", match_actions.MatchInvite.as_view()),
    path("matches/<uuid:match_id>/abort", match_actions.MatchAbort.as_view()),
    path("matches/<uuid:match_id>/block", blocks.MatchBlock.as_view()),
    path("matches/<uuid:match_id>/moves", moves.MatchMoves.as_view()),
    path("matches/<uuid:match_id>/resign", match_actions.MatchResign.as_view()),
    path("matches/<uuid:match_id>/time", match_actions.MatchTime.as_view()),
    path("matches/<uuid:match_id>/reclaim", match_actions.MatchReclaim.as_view()),
    path("matches/<uuid:match_id>/rematch", match_actions.MatchRematch.as_view()),
    path("matches/<uuid:match_id>/events", matches.MatchEvents.as_view()),
    path("matches/<uuid:match_id>/saves", matches.MatchSaves.as_view()),
    path("matches/<uuid:match_id>/notices", matches.MatchNotices.as_view()),
    path("matches/<uuid:match_id>/load", match_actions.MatchLoad.as_view()),
    path("matches/<uuid:match_id>/record", records.MatchRecord.as_view()),
    path("matches/<uuid:match_id>/stream", streams.MatchStream.as_view()),
    path("stream", streams.AccountStream.as_view()),
    path("exports/matches", exports.MatchExport.as_view()),
    path("exports", record_files.Exports.as_view()),
    path("exports/<uuid:export_id>", record_files.ExportDetail.as_view()),
    path("exports/<uuid:export_id>/file", record_files.ExportFile.as_view()),
    path("archives", record_files.Archives.as_view()),
    path("archives/<str:day>.jsonl", record_files.ArchiveFile.as_view()),
    path("archives/<str:day>.jsonl.sha256", record_files.ArchiveChecksum.as_view()),
    path("records/verify", records.RecordVerify.as_view()),
    path("simulations", simulations.Simulations.as_view()),
    path("simulations/<uuid:simulation_id>", simulations.SimulationDetail.as_view()),
    path("simulations/<uuid:simulation_id>/cancel", simulations.SimulationCancel.as_view()),
    path("simulations/<uuid:simulation_id>/plots/<str:name>", simulations.SimulationPlot.as_view()),
    path("accounts/", include("accounts.api.urls")),
    path("", include("decks.api.urls")),
    path("", Index.as_view()),
    path("schema", send_document, name="schema"),
    path("docs", DocsPage.as_view(url_name="schema"), name="docs"),
    re_path(r"[\s\S]*", no_such_call),  # a path converter stops at a line break
]
