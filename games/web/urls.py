from django.conf import settings
from django.urls import include, path

from games.web.agreements import forms as agreements
from games.web.agreements import plans
from games.web.analysis import at_table
from games.web.analysis import views as analysis
from games.web.app import manifest, worker
from games.web.app import pages as app
from games.web.daily import picture as daily_picture
from games.web.daily import views as daily
from games.web.exercises import views as exercises
from games.web.family import views as family
from games.web.feeds import atom, calendars
from games.web.front import design, look
from games.web.history import views as own_matches
from games.web.leagues import pages as leagues
from games.web.people import friends, leaderboards, mirrored, profile, rating_changes
from games.web.share import views as share
from games.web.site import (
    bots,
    challenges,
    clients,
    files,
    forecast,
    invitation_code,
    landing,
    lobby,
    new_match,
    own_account,
    people_known,
    seeks,
    simulations,
    streams,
)
from games.web.table import deals, operator_table, seat_offers, talk_forms, views
from games.web.tournaments import pages as tournaments

TAKING_BACK = [
    path("alone", agreements.take_back_alone, name="table_take_back_alone"),
    path("answer", agreements.answer_take_back, name="table_take_back_answer"),
    path("withdraw", agreements.withdraw_take_back, name="table_take_back_withdraw"),
]
OF_A_TOURNAMENT = [
    path("join", tournaments.join, name="tournament_join"),
    path("withdraw", tournaments.withdraw, name="tournament_withdraw"),
    path("invite", tournaments.invite, name="tournament_invite"),
    path("call-off", tournaments.call_off, name="tournament_call_off"),
    path("calendar.ics", tournaments.calendar_entry, name="tournament_calendar"),
]
OF_A_SIMULATION = [
    path("cancel", simulations.cancel, name="simulation_cancel"),
    path("plots/<str:name>", simulations.plot, name="simulation_plot"),
    path("report", simulations.report_file, name="simulation_report"),
]
urlpatterns = [
    path("", landing.landing, name="landing"),
    path("featured", landing.featured_table, name="featured"),
    path("favicon.ico", files.favicon, name="favicon"),
    path("robots.txt", files.robots, name="robots"),
    path("manifest.webmanifest", manifest.manifest, name="manifest"),
    path("service-worker.js", worker.service_worker, name="service_worker"),
    path("app", app.shell, name="app"),
    path("app/share", app.share, name="app_share"),
    path("look", look.set_look, name="set_look"),
    path("lobby", lobby.lobby, name="lobby"),
    path("lobby/tables", lobby.choose_tables, name="choose_tables"),
    path("daily", daily.overview, name="daily"),
    path("daily/play", daily.play, name="play_daily"),
    path("daily/<uuid:entry_id>.png", daily_picture.share_picture, name="daily_picture"),
    path("daily/<str:day>/<slug:game>", daily.deal_page, name="daily_deal"),
    path("exercises", exercises.overview, name="exercises"),
    path("exercises/next", exercises.next_exercise, name="next_exercise"),
    path("exercises/<uuid:exercise_id>", exercises.exercise, name="exercise"),
    path("known", people_known.people_known, name="people_known"),
    path("people", friends.friends, name="friends"),
    path("people/<str:username>", profile.profile, name="profile"),
    path("people/<str:username>/challenge", challenges.new_challenge, name="new_challenge"),
    path("challenges/<uuid:challenge_id>", challenges.challenge, name="challenge"),
    path(
        "challenges/<uuid:challenge_id>/answer",
        challenges.answer_challenge,
        name="answer_challenge",
    ),
    path("bots", bots.bots, name="bots"),
    path("bots/<str:username>/answer", bots.answer_bot, name="answer_bot"),
    path("history", own_matches.history, name="history"),
    path("clients/<str:name>", clients.client, name="client"),
    path("accounts/data/", own_account.own_data, name="own_data"),
    path("accounts/data/account.json", own_account.account_file, name="own_data_file"),
    path("accounts/data/records/", own_account.write_records, name="own_data_records"),
    path("accounts/calendar/", calendars.calendar_page, name="calendar_page"),
    path("accounts/calendar/end/", calendars.end_calendar, name="end_calendar"),
    path("calendar/<str:secret>.ics", calendars.calendar, name="calendar"),
    path("people/<str:username>/results.atom", atom.results_feed, name="results_feed"),
    path("matches/<uuid:match_id>/feed.atom", atom.match_feed, name="match_feed"),
    path("accounts/delete/", own_account.delete_account, name="delete_account"),
    path("stream", streams.page_stream, name="page_stream"),
    path("new", new_match.new_match, name="new_match"),
    path("new/forecast", forecast.forecast, name="forecast"),
    path("play/<slug:slug>", landing.quick_match, name="quick_match"),
    path("seeks", seeks.seek, name="new_seek"),
    path("seeks/<uuid:seek_id>", seeks.seek_page, name="seek"),
    path("seeks/<uuid:seek_id>/stop", seeks.stop_seek, name="stop_seek"),
    path("games/<slug:slug>/rules", landing.rules, name="rules"),
    path("games/<slug:slug>/ladder", leaderboards.ladder, name="ladder"),
    path("leaderboards", leaderboards.first_leaderboard, name="leaderboards"),
    path("leaderboards/<slug:slug>", leaderboards.people, name="leaderboard"),
    path("matches/<uuid:match_id>/rating", rating_changes.rating_part, name="table_rating"),
    path("matches/<uuid:match_id>/mirrored", mirrored.mirrored_part, name="table_mirrored"),
    path("matches/<uuid:match_id>", views.table, name="table"),
    path("matches/<uuid:match_id>/news", views.table_update, name="table_update"),
    path("matches/<uuid:match_id>/move", views.move, name="table_move"),
    path("matches/<uuid:match_id>/there", views.confirm_presence, name="table_presence"),
    path("matches/<uuid:match_id>/join", views.join, name="table_join"),
    path("matches/<uuid:match_id>/leave", views.leave, name="table_leave"),
    path("matches/<uuid:match_id>/seat", seat_offers.offer_seat, name="table_offer"),
    path("matches/<uuid:match_id>/resign", views.resign, name="table_resign"),
    path("matches/<uuid:match_id>/abort", views.abort, name="table_abort"),
    path("matches/<uuid:match_id>/block", views.block, name="table_block"),
    path("matches/<uuid:match_id>/say", talk_forms.say, name="table_say"),
    path("matches/<uuid:match_id>/mute", talk_forms.mute, name="table_mute"),
    path("matches/<uuid:match_id>/time", views.give_time, name="table_time"),
    path("matches/<uuid:match_id>/reclaim", views.reclaim, name="table_reclaim"),
    path("matches/<uuid:match_id>/take-back", agreements.take_back, name="table_take_back"),
    path("matches/<uuid:match_id>/take-back/", include(TAKING_BACK)),
    path("matches/<uuid:match_id>/plan", plans.plan, name="table_plan"),
    path("matches/<uuid:match_id>/claim", agreements.claim, name="table_claim"),
    path("matches/<uuid:match_id>/call-off", agreements.call_off, name="table_call_off"),
    path("matches/<uuid:match_id>/code.svg", invitation_code.invitation_code, name="table_code"),
    path("matches/<uuid:match_id>/rematch", views.rematch, name="table_rematch"),
    path("matches/<uuid:match_id>/no-rematch", views.no_rematch, name="table_no_rematch"),
    path("matches/<uuid:match_id>/decline", views.decline, name="table_decline"),
    path("matches/<uuid:match_id>/hints", views.no_hints, name="table_no_hints"),
    path("matches/<uuid:match_id>/harder", views.harder, name="table_harder"),
    path("matches/<uuid:match_id>/report", views.report, name="table_report"),
    path("matches/<uuid:match_id>/load", views.load, name="table_load"),
    path("matches/<uuid:match_id>/record", views.record_file, name="table_record"),
    path("matches/<uuid:match_id>/share.svg", share.share_svg, name="share_svg"),
    path("matches/<uuid:match_id>/share.png", share.share_png, name="share_png"),
    path("matches/<uuid:match_id>/analysis", analysis.analysis, name="analysis"),
    path("matches/<uuid:match_id>/analysis/stop", analysis.stop_analysis, name="stop_analysis"),
    path("matches/<uuid:match_id>/coach", at_table.switch_on, name="table_coach"),
    path("matches/<uuid:match_id>/hint", at_table.hint, name="table_hint"),
    path("matches/<uuid:match_id>/family", family.family, name="table_family"),
    path("matches/<uuid:match_id>/deals", deals.table_deals, name="table_deals"),
    path("matches/<uuid:match_id>/operator", operator_table.operator_table, name="operator_table"),
    path("matches/<uuid:match_id>/<slug:name>", views.game_action, name="table_action"),
    path("tournaments", tournaments.index, name="tournaments"),
    path("tournaments/new", tournaments.new, name="new_tournament"),
    path("tournaments/<uuid:tournament_id>", tournaments.tournament, name="tournament"),
    path("tournaments/<uuid:tournament_id>/", include(OF_A_TOURNAMENT)),
    path("leagues", leagues.index, name="leagues"),
    path("leagues/<slug:slug>", leagues.league, name="league"),
    path("leagues/<slug:slug>/join", leagues.join, name="league_join"),
    path("leagues/<slug:slug>/leave", leagues.leave, name="league_leave"),
    path("simulations", simulations.index, name="simulations"),
    path("simulations/<uuid:simulation_id>", simulations.detail, name="simulation"),
    path("simulations/<uuid:simulation_id>/", include(OF_A_SIMULATION)),
]
if settings.DEBUG:
    urlpatterns += [path("design", design.design, name="design")]
