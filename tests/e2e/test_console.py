"""Acts of the console on tournaments, leagues, settings, jobs, accounts, while a match is played.

Each act of the two tables is pressed as each role by two operators who opened its page at the same
time. The first reads what was done, and the place shows it; the second reads a sentence, and
nothing is done twice. `test_acts.py` has those on matches and people.
"""

import json
import re
import threading
from collections.abc import Iterator, Mapping
from http.server import ThreadingHTTPServer
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.serving import House, prepared, served
from tests.e2e.test_acts import PASSWORD, WHY, refused, signed_in
from tests.e2e.test_pairing import PHONE, fits
from tests.e2e.test_people import picture
from tests.e2e.test_playing import play_first, wait_for_my_turn

pytestmark = pytest.mark.browser
DESK = {"width": 1280, "height": 900}
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>'
CUT = """[...document.querySelectorAll('.op-card, .op-card td, .op-card dd, .op-button')]
    .filter(e => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX != 'auto')
    .map(e => e.className + ': ' + e.innerText.slice(0, 60))"""
# Page | button | what is read then | what the second one reads (-: it may be done twice)
#     | fields | a page of the place, and its words
REFEREES = """
config/announcement/add/ | Save | was added | announced already
    | text=Club night of {role} | / Club night of {role}
config/announcement/{notice}/change/ | Save | was changed | was changed
    | text=Moved to Saturday, {role} | /lobby Moved to Saturday, {role}
config/announcement/{notice}/delete/ | {sure} | {gone}
accounts/registrationblock/add/ | Save | was added | already exists
    | value={role}.example & kind=domain
accounts/registrationblock/{block}/delete/ | {sure} | {gone}
accounts/signuplink/add/ | Save | was added | -
    | note=For {role} & most=3 & ends_at_0=2100-01-01 & ends_at_1=00:00
accounts/signuplink/{link}/change/ | Save | was changed | was changed | is_revoked=on
accounts/key/{key}/delete/ | {sure} | {gone}
accounts/user/ | Run | Keys revoked: 1 | Keys revoked: 0 | row={ada} & action=revoke_keys
decks/deck/{deck}/change/ | Save | was changed | was changed | name=Mild {role}
decks/deck/{rude}/delete/ | {sure} | {gone}
operations/undoable/{deleted}/change/ | Undo | The deck is there | cannot be taken back any more
decks/measurement/{measured}/delete/ | {sure} | {gone}
games/simulation/ | Run | Cancelled: 1 | Cancelled: 0 | row={simulated} & action=cancel
exercises/exercise/ | Run | Withdrawn: 1 | Withdrawn: 0 | row={exercise} & action=withdraw
exercises/exercise/ | Run | Shown again: 1 | Shown again: 0 | row={exercise} & action=show_again
exercises/exercise/ | Run | looked through: | - | row={exercise} & action=collect
notifications/delivery/ | Run | due now: 1 | - | row={delivery} & action=retry
hours/holiday/ | Run | Holidays ended: 1 | Holidays ended: 0 | row={holiday} & action=end
{jobs} | Audit by replay | as soon as it is free | -
{jobs} | Clean up | as soon as it is free | -
{jobs} | Recount | as soon as it is free | -
{jobs} | Back up | as soon as it is free | -
{jobs} | Run old seeks now | as soon as it is free | -
{jobs} | Set aside | rows set aside: 1 | left to set aside
{jobs} | Try again | rows tried again: 1 | -
{on_swiss} | Rename | Renamed | already
    | to=rename & name=Friday of {role} | /tournaments Friday of {role}
{on_swiss} | Move | Moved to | already | to=move & at={tomorrow}
{on_swiss} | Pause | is paused | already | to=pause
{on_swiss} | Go on | goes on | already | to=resume
{on_swiss} | Begin now | It begins now | has begun | to=begin
{on_swiss} | Do what is due | All that was due is done | - | to=pay
{on_cup} | Correct | Corrected | already | to=correct & result={other} | /tournaments/{cup} {score}
{on_cup} | Replace | plays in the place of | has a place
    | to=replace & username=eva-{role} | /tournaments/{cup} eva-{role}
{on_cup} | Remove | takes part no more | does not take part | to=remove
{on_cup} | Call it off | was called off | is over | to=abort | /tournaments/{cup} called off
{on_cup} | Undo | goes on with | cannot be taken back any more
leagues/week/{week}/change/ | Show the matches… | 1 match | - | username=ada-{role}
operations/bulkrun/{run}/change/ | {annul} | 1 of 1 | begun already
leagues/week/{week}/change/ | Show what changes | What would change | -
leagues/week/{week}/change/ | Judge it again | Lines changed: [1-9] | Lines changed: 0
{report} | Assign | Assigned to {role} | -
{report} | Do it and close | writer is told | resolved already
    | verdict=warn & words=Play on, please.
{report} | Reopen | Open again | is open
operations/playerreport/people?id={dora} | Do it to all of them | dora-{role}: | suspended already
    | verdict=suspend & length=3
"""
ADMINISTRATORS = """
{settings} | Set Name of the place | “Kahve of {role}” | already
    | value=Kahve of {role} | / Kahve of {role}
{settings} | Name of the place: back to | “Cardroom” | already | | / Cardroom
{settings}?name=club.name | Back to this | “Kahve of {role}” | already
{settings} | Set Welcome | “Merhaba” | already | value=Merhaba | / Merhaba
{settings} | Set Imprint | “Sokak 1” | already | value=Sokak 1 | /about/imprint Sokak 1
{settings} | Set Colour of the felt | “#5a1f2c” | already | value=#5a1f2c
{settings} | Set Logo | Logo: | already | value={logo}
{settings} | Set Maintenance from | Maintenance from: | already
    | value={tomorrow} | / Maintenance from
{settings} | Maintenance from: back to | Maintenance from: | already
{settings} | Set Registration | “closed” | already
    | value=closed | /accounts/signup/ Nobody can sign up
{settings} | Registration: back to | “open” | already
{settings} | Set Read-only until | Read-only until: | already
    | value={soon} | /lobby nothing is written
{settings} | Read-only until: back to | Read-only until: | already
{settings} | Send me a test mail | Sent from | -
config/trouble/health | Test it | answers and knows this client | -
accounts/user/add/ | Save | was added | is taken
    | username=fay-{role} & password1={password} & password2={password}
accounts/user/{ben}/change/ | Save | was changed | was changed | is_staff=on & groups={viewers}
accounts/user/{ben}/password/ | Change password | Sessions have ended | -
    | password1={soon} & password2={soon}
axes/accessattempt/{attempt}/delete/ | {sure} | {gone}
mfa/authenticator/{factor}/delete/ | {sure} | {gone}
allauth_idp_oidc/client/{program}/delete/ | {sure} | {gone}
"""


class Act(NamedTuple):
    page: str
    button: str
    says: str
    again: str
    fields: str = ""
    there: str = ""

    def values(self) -> dict[str, str]:
        return dict(one.split("=", 1) for one in self.fields.split(" & ") if one)


def acts(table: str, names: Mapping[str, str]) -> list[Act]:
    rows = table.format_map(names).replace("\n    |", " |").strip().splitlines()
    return [Act(*(cell.strip() for cell in row.split("|"))) for row in rows]


def prepare() -> None:
    """By `manage.py shell`: two operators of each role, and what there is to act on."""
    from datetime import timedelta

    from allauth.mfa.totp.internal.auth import TOTP
    from django.apps import apps
    from django.db.models import F
    from django.utils import timezone

    from accounts import services
    from accounts.hours.services import announce_holiday
    from accounts.programs.services import register
    from accounts.staff_pages import ROLES
    from cardroom.rules.pazaak.side_cards import STARTER
    from config import club
    from config.tasks.rows import note
    from decks.services import request_measurement
    from games.competitions import advancing, taking_part
    from games.exercises.collecting import settle_shipped
    from games.leagues import divisions
    from games.leagues.rules import ONE_WEEK
    from games.matches import joining
    from games.matches.leaving import resign_as_operator
    from games.operations import acts, reports, undoing
    from games.ratings import rating
    from games.simulations import work
    from tests.competitions.held import begun, held, matches_of, sheet
    from tests.leagues.scenes import won
    from tests.matches.scenes import opened

    rows = {model.__name__: model._default_manager for model in apps.get_models()}
    club.change(name="club.simulations", given="off", by="admin")  # none ends by itself
    settle_shipped()
    now, scene, operators = timezone.now(), {}, []
    tomorrow = now + timedelta(days=1)
    cards = [[*STARTER[:-1], last] for last in ("M4", "M5", "M6")]
    exercises = list(rows["Exercise"].filter(owner=None).order_by("-id")[:3])
    for number, (role, game) in enumerate(zip(ROLES, ("shithead", "pisti", "pazaak"), strict=True)):
        for name in (role, f"{role}-too"):
            staff = rows["User"].create_user(name, f"{name}@club.example", PASSWORD, is_staff=True)
            staff.groups.add(rows["Group"].get(name=role))
            operators = [*operators, staff][-2:]
        ada, ben, cem, dora, _ = (
            services.register(username=f"{name}-{role}", password=PASSWORD)
            for name in ("ada", "ben", "cem", "dora", "eva")
        )
        divisions.join(user=ada, game=game)
        divisions.join(user=ben, game=game)
        league = won(ada, ben, game=game)
        swiss = held(ada, name=f"Cup of {role}", visibility="public")
        for person in (ben, cem):
            taking_part.join(tournament_id=swiss.id, user=person)
        cup = held(ada, visibility="public", pace="slow_1")
        begun(cup, ben, cem, dora, services.open_guest())
        resign_as_operator(match_id=matches_of(cup, "active")[0].id, seat=1)
        advancing.advance(cup.id)
        first = next(one for one in sheet(cup).boards if one.result).places.get(seat=0)
        table = joining.join(match_id=opened(ada, "me, open").id, user=ben)
        reports.report(match_id=table.id, user=ada, seat=1, reason="stalling", text="He left.")
        report = rows["PlayerReport"].get(match=table.id)
        mild, gone, lost = (
            rows["Deck"].create(owner=ada, name=f"{name} {role}", cards=STARTER)
            for name in ("Rude", "Gone", "Lost")
        )
        undoing.keep_deleted(operators[0], [lost])
        lost.delete()
        link = rows["SignUpLink"].create(note="Chess club", ends_at=tomorrow)
        cause = rows["Cause"].create(key=role, account=ada, kind="operator", routed_at=now)
        note("exports", str(ada.pk), type(f"{role}Fault", (Exception,), {})())
        many = {"games": 100_000, "bots": ("counter", "counter"), "game": "pisti"}
        program = {"redirect_uris": ["https://a.example/"], "confidential": False}
        found = {
            "notice": rows["Announcement"].create(text=f"Quiz of {role}"),
            "block": rows["RegistrationBlock"].create(kind="domain", value=f"x-{role}.example"),
            "link": link,
            "key": services.issue_key(user=ben).key,
            "ada": services.issue_key(user=ada).key.user,
            "ben": ben,
            "dora": dora,
            "deck": mild,
            "rude": gone,
            "deleted": rows["Undoable"].get(subject=lost.name),
            "measured": request_measurement(cards=cards[number], requester=ada),
            "simulated": work.start(owner=ada, **many),
            "exercise": exercises[number],
            "delivery": rows["Delivery"].create(cause=cause, channel="mail", state="failed"),
            "holiday": announce_holiday(user=ada, first=now.date(), last=tomorrow.date()),
            "swiss": swiss,
            "cup": cup,
            "week": rows["Week"].filter(game=game).earliest("monday"),
            "run": acts.draft(act="annul-rating", match_ids=[league.id], user=operators[0]),
            "attempt": rows["AccessAttempt"].create(username=role, failures_since_start=8),
            "factor": TOTP.activate(ada, "JBSWY3DPEHPK3PXP").instance,
            "program": register(owner=ada, name=role, **program)[0],
            "viewers": rows["Group"].get(name="viewer"),
        }
        scene[role] = {name: str(row.pk) for name, row in found.items()} | {
            "role": role,
            "settings": "config/settingchange/",
            "jobs": "config/trouble/",
            "on_swiss": f"competitions/tournament/{swiss.pk}/change/",
            "on_cup": f"competitions/tournament/{cup.pk}/change/",
            "report": f"operations/playerreport/{report.pk}/change/",
            "gone": "Perhaps it was deleted",
            "sure": "Yes, I’m sure | was deleted",
            "logo": LOGO,
            "password": PASSWORD,
            "annul": acts.ACTS["annul-rating"].title,
            "other": "second" if first.points else "first",
            "score": "0 : 1" if first.points else "1 : 0",
            "tomorrow": f"{tomorrow:%Y-%m-%dT%H:%M}",
            "soon": f"{now + timedelta(hours=1):%Y-%m-%dT%H:%M}",
        }
    rating.rate_finished()
    for name in ("RatedMatch.at", "RatedSeat.at", "Week.monday", "Line.since"):
        table, at = name.split(".")
        rows[table].update(**{at: F(at) - ONE_WEEK})  # a week that is over
    divisions.turn_weeks()
    print(json.dumps(scene))


@pytest.fixture(scope="module")
def house(folder) -> Iterator[House]:
    """A club of its own, with mail and a sign-in: its settings are changed here."""
    from tests.accounts.test_single_sign_on import Provider  # not in the shell of `prepare`

    club = folder / "club"
    club.mkdir(mode=0o755)
    with ThreadingHTTPServer(("127.0.0.1", 0), Provider) as provider:
        threading.Thread(target=provider.serve_forever, daemon=True).start()
        server = f"http://127.0.0.1:{provider.server_port}/realms/club"
        oidc = {"OIDC_SERVER": server, "OIDC_CLIENT_ID": "cardroom", "OIDC_CLIENT_SECRET": "s3cret"}
        with served(club, more=oidc | {"EMAIL_URL": f"filemail:///{folder}/mail"}) as house:
            yield house
        provider.shutdown()


@pytest.fixture(scope="module")
def scene(house, folder) -> dict[str, dict[str, str]]:
    return prepared(folder / "club", "tests.e2e.test_console")


def button_of(page: Page, act: Act) -> Locator:
    """The button of the form, which is filled in."""
    button = page.get_by_role("button", name=act.button, include_hidden=True).first
    button.evaluate("e => e.form.setAttribute('data-act', '')")  # some stand outside of it
    form = page.locator("form[data-act]")
    for name, value in {"reason": WHY, **act.values()}.items():
        row = f"[name=_selected_action][value='{value}']"
        for field in form.locator(row if name == "row" else f"[name={name}]").all()[:1]:
            match field.evaluate("e => e.type"):
                case "checkbox":
                    field.check()
                case "file":
                    svg = {"name": "logo.svg", "mimeType": "image/svg+xml"}
                    field.set_input_files(svg | {"buffer": value.encode()})
                case "select-one" | "select-multiple":
                    field.select_option(value)
                case "text" | "textarea" | "password" | "datetime-local" | "number":
                    field.fill(value)
    return button


def is_withheld(page: Page, act: Act) -> bool:
    """Neither shown to this operator, nor done when it is sent anyway."""
    assert page.goto(f"/admin/{act.page}").status in (200, 403), act
    if action := act.values().get("action"):
        return page.locator(f"option[value={action}]").count() == 0
    shown = page.get_by_role("button", name=act.button).count()
    address = f"/admin/{act.page}"
    if what := act.values().get("to"):
        address = address.replace("/change/", f"/{what}/do")
    return shown == 0 and refused(page, address)


def look_at(page: Page, name: str) -> None:
    """On a phone and on a desk nothing is cut off, and nothing is wider than the page."""
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        picture(page, f"{name}-{size['width']}")
        assert page.evaluate(CUT) == [], (name, size)
        assert size is not PHONE or fits(page), name


def read(page: Page, sentence: str) -> None:
    expect(page.get_by_text(re.compile(sentence)).first).to_be_visible()


@pytest.mark.parametrize("role", ["viewer", "referee", "administrator"])
def test_every_act(visit, scene, role):
    player, seen = visit(), set()
    player.get_by_role("button", name="Play Pişti now").click()
    play_first(player)
    place = player.context.new_page()
    one, other = (signed_in(visit, name) for name in (role, f"{role}-too"))
    referees, administrators = (acts(table, scene[role]) for table in (REFEREES, ADMINISTRATORS))
    may = {"viewer": [], "referee": referees, "administrator": referees + administrators}[role]
    for act in referees + administrators:
        if act not in may:
            assert is_withheld(one, act), act
            continue
        for operator in (one, other):
            operator.goto(f"/admin/{act.page}")
        if act.page not in seen:
            look_at(one, re.sub(r"[0-9a-f-]{36}|\W+", "-", act.page))
        seen.add(act.page)
        buttons = [button_of(operator, act) for operator in (one, other)]
        buttons[0].click()
        read(one, act.says)
        if act.there:
            address, words = act.there.split(" ", 1)
            place.goto(address)
            expect(place.locator("body")).to_contain_text(words)
        if act.again != "-":
            buttons[1].click()
            read(other, act.again)
    wait_for_my_turn(player)
    play_first(player)  # the match was played on meanwhile
    for name, entries in {"viewer": 1, f"{role}-too": 0}.items():  # `prepare` drafted a bulk run
        assert one.goto(f"/admin/audit/entry/?q={name}").status == 200
        expect(one.locator("#result_list tbody tr")).to_have_count(entries)
