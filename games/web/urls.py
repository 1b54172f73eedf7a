from django.urls import path

from games.web import (
    forecast,
    new_match,
    operator_table,
    simulations,
    site,
    streams,
    table,
)

urlpatterns = [
    path("", site.landing, name="landing"),
    path("lobby", site.lobby, name="lobby"),
    path("stream", streams.page_stream, name="page_stream"),
    path("new", new_match.new_match, name="new_match"),
    path("new/forecast", forecast.forecast, name="forecast"),
    path("play/<slug:slug>", site.quick_match, name="quick_match"),
    path("games/<slug:slug>/rules", site.rules, name="rules"),
    path("matches/<uuid:match_id>", table.table, name="table"),
    path("matches/<uuid:match_id>/news", table.table_update, name="table_update"),
    path("matches/<uuid:match_id>/move", table.move, name="table_move"),
    path("matches/<uuid:match_id>/there", table.confirm_presence, name="table_presence"),
    path("matches/<uuid:match_id>/join", table.join, name="table_join"),
    path("matches/<uuid:match_id>/leave", table.leave, name="table_leave"),
    path("matches/<uuid:match_id>/resign", table.resign, name="table_resign"),
    path("matches/<uuid:match_id>/abort", table.abort, name="table_abort"),
    path("matches/<uuid:match_id>/block", table.block, name="table_block"),
    path("matches/<uuid:match_id>/rematch", table.rematch, name="table_rematch"),
    path("matches/<uuid:match_id>/report", table.report, name="table_report"),
    path("matches/<uuid:match_id>/load", table.load, name="table_load"),
    path("matches/<uuid:match_id>/record", table.record_file, name="table_record"),
    path("matches/<uuid:match_id>/operator", operator_table.operator_table, name="operator_table"),
    path("matches/<uuid:match_id>/<slug:name>", table.game_action, name="table_action"),
    path("simulations", simulations.index, name="simulations"),
    path("simulations/<uuid:simulation_id>", simulations.detail, name="simulation"),
    path("simulations/<uuid:simulation_id>/cancel", simulations.cancel, name="simulation_cancel"),
    path(
        "simulations/<uuid:simulation_id>/plots/<str:name>",
        simulations.plot,
        name="simulation_plot",
    ),
    path(
        "simulations/<uuid:simulation_id>/report",
        simulations.report_file,
        name="simulation_report",
    ),
]
