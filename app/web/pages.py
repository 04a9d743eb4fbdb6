"""The pages and the forms that they post."""

import hmac
from typing import Any

import msgspec
import structlog
from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from app.house.open_table import OpenTable
from app.refusals import Refusal, no_game
from app.table import actions
from app.table.names import clean
from app.table.picture import Me, Picture
from app.web.answers import Json, front, page, problem_with, redirect, remember, site_of, wants_json
from app.web.bundles import Loads
from app.web.compression import UNCOMPRESSED
from app.web.context import example_summary
from app.web.faces import FACE_OF, FACES, HAND_OF
from app.web.languages import COOKIE as LANGUAGE
from app.web.languages import languages, translate
from app.web.messages import Message, Said, fields, id_of, understand
from app.web.openapi import (
    Code,
    DeviceLink,
    Found,
    Joined,
    LoggedOut,
    LogOut,
    NewTable,
    OneTime,
    Version,
    View,
    operation,
)
from app.web.people import COOKIE, NOBODY, Visitor, bearer, forget
from app.web.site import Site
from app.web.templates import template_line
from engine.game import N_, Game, UnknownGame, find

router = APIRouter()
log = structlog.get_logger("web")
RULES = "rules.html"
WITH_BOTS = 4  # seats of a table that is filled with bots in one click, if the game allows


@router.get("/", include_in_schema=False)
async def home(request: Request) -> Response:
    site = site_of(request)
    return page(request, "home.html", {**front(site), "last": await last_table(site, site.people.visitor(request))})


async def last_table(site: Site, visitor: Visitor) -> Picture | None:
    """The table at which this visitor still sits, before the end of its game."""
    try:
        table = await site.house.by_token(visitor.table) if visitor.table else None
    except Refusal:  # the page must not depend on it
        return None
    if table is None or table.picture.card.phase == "over":
        return None
    sits = table.picture.seat_of(visitor.person) is not None or visitor.person in table.picture.lost
    return table.picture if sits else None


@router.get("/about", include_in_schema=False)
async def about(request: Request) -> Response:
    site = site_of(request)
    language = site.language(request)
    return page(request, "about.html", {"credits": lambda game: credits_of(site, game, language)})


def credits_of(site: Site, game: Game, language: str) -> Markup:
    """What a game tells of its authors; if its template is broken, what can be said of any game."""
    templates = site.templates
    try:
        return Markup(templates.page(language, templates.paths_of(game.key)["credits"], {"game": game}))
    except Exception as error:
        log.exception("broken", route="/about", at=template_line(error) or None)
        return Markup(templates.page(language, "games/_plain/credits.html", {"game": game}))


@router.post("/lang", include_in_schema=False)
async def language(request: Request) -> Response:
    found = await fields(request)
    chosen, path = str(found.get("lang", "")), str(found.get("next", "/"))
    response = redirect(request, path if local(path) else "/")
    if chosen in languages():
        secure = request.scope["scheme"] == "https"
        response.set_cookie(LANGUAGE, chosen, max_age=400 * 86400, samesite="lax", httponly=True, secure=secure)
    return response


def local(path: str) -> bool:
    """Is it a path on this site? `//host` and backslashes would lead to another site."""
    return path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()


# opening and finding tables -----------------------------------------------------------------------------------------


@router.post("/tables", **operation(Joined, NewTable, 201))
async def open_table(request: Request) -> Response:
    """Open a table: its host takes the first seat. With `bots` it is filled with bots and starts. With `screen` nobody
    sits there yet: the first who takes a seat becomes the host. A second message with the same `id` opens no other."""
    site = site_of(request)
    found = request.state.typed = await fields(request)
    check_password(site, request, found)
    site.limits.tables.take(site.address(request))
    try:
        game = find(str(found.get("game", "")))
    except UnknownGame as error:
        raise no_game(error) from None
    bots, id = says_yes(found, "bots"), id_of(found)
    visitor = site.people.visitor(request)
    if says_yes(found, "screen"):
        whose = visitor.person or site.people.new("", id).person
        return answer_opened(
            request, await site.house.open("", game.key, "", own_token(site, whose, id)), NOBODY, "/screen"
        )
    name = clean(str(found.get("name", "")))
    if not name and bots:  # playing with bots needs no name
        name = visitor.name or translate(site.language(request), N_("Guest"))
    visitor = named(site, visitor, name, id)
    table = await site.house.open(visitor.person, game.key, visitor.name, own_token(site, visitor.person, id))
    if salt := str(found.get("salt", "")):
        said = understand({"do": "salt", "salt": salt, "id": "opening salt"})
        await site.act(table, visitor, said, site.address(request))
    if bots:
        await fill(request, table, visitor, not says_yes(found, "later"), "opening")
    return answer_opened(request, table, seated(visitor, table))


def own_token(site: Site, person: str, id: str) -> str:
    """The token of the table that this message of this person opens; "", for a random one, if it has no id."""
    return site.people.derived("table", person, id) if id else ""


def answer_opened(request: Request, table: OpenTable, visitor: Visitor, face: str = "") -> Response:
    """The answer to opening a table."""
    token = table.picture.token
    if wants_json(request):
        return Json({"token": token, **opened(site_of(request), request, table, visitor)}, 201)
    return redirect(request, f"/t/{token}{face}", visitor if visitor.person else None)


def seated(visitor: Visitor, table: OpenTable) -> Visitor:
    """The visitor, with this table as the one to come back to."""
    return msgspec.structs.replace(visitor, table=table.picture.token)


def opened(site: Site, request: Request, table: OpenTable, visitor: Visitor) -> dict[str, Any]:
    picture = table.picture
    found = {
        "link": f"{site.base(request)}/t/{picture.token}",
        "code": picture.card.code,
        "seat": table.picture.seat_of(visitor.person),
    }
    # A script in a page must not obtain a token for the person of the browser's cookie.
    if COOKIE in request.cookies or not visitor.person:
        return found
    return {**found, "bearer": site.people.sign(visitor)}


async def fill(request: Request, table: OpenTable, visitor: Visitor, start: bool = True, once: str = "") -> None:
    """Fill the table with bots. A page starts the game itself (`later`) when its browser has pledged its salt. `once`:
    the beginning of the messages' ids, so that a call with the same one adds no more bots."""
    site, seats = site_of(request), table.picture.game.seats
    address = site.address(request)
    for n in range(min(max(seats), max(min(seats), WITH_BOTS)) - 1):
        await site.act(table, visitor, Said(actions.AddBot(), once and f"{once} bot {n}"), address)
    if start:
        await site.act(table, visitor, Said(actions.Start(), once and f"{once} start"), address)


def named(site: Site, visitor: Visitor, name: str, id: str) -> Visitor:
    """The visitor with this name; a new person if the visitor has none. `id` is that of the message."""
    name = clean(name)
    if not name:
        raise Refusal("no_name")
    return msgspec.structs.replace(visitor, name=name) if visitor.person else site.people.new(name, id)


def says_yes(found: dict[str, Any], field: str) -> bool:
    return str(found.get(field, "")).lower() in ("1", "true", "on")


def check_password(site: Site, request: Request, found: dict[str, Any]) -> None:
    password = site.settings.table_password
    if not password:
        return
    address = site.address(request)
    site.limits.guesses.take(address)
    if not hmac.compare_digest(str(found.get("password", "")).encode(), password.encode()):
        raise Refusal("wrong_password")
    site.limits.guesses.give_back(address)


@router.post("/join", **operation(Found, Code))
async def join_by_code(request: Request) -> Response:
    """Find a table by its code; a locked one only for whoever sits there."""
    site = site_of(request)
    found = request.state.typed = await fields(request)
    address = site.address(request)
    site.limits.guesses.take(address)
    table = await site.house.by_code(str(found.get("code", ""))[:40])
    if table is None:
        raise Refusal("unknown_code")
    site.limits.guesses.give_back(address)
    picture = table.picture
    if picture.card.locked and picture.seat_of(site.people.visitor(request).person) is None:
        raise Refusal("locked_code")
    token = picture.token
    if wants_json(request):
        return Json({"token": token, "link": f"{site.base(request)}/t/{token}"})
    return redirect(request, f"/t/{token}")


# a table's pages ----------------------------------------------------------------------------------------------------


@router.get("/t/{token}", **operation(View))
async def table(request: Request, token: str, watch: bool = False) -> Response:
    """The table's page: join form, lobby, game or result. For programs: the view as JSON."""
    site = site_of(request)
    table = await site.table(request, token)
    visitor = site.people.visitor(request)
    picture = table.picture
    if wants_json(request):
        return Json(site.json(table).encoded(picture.seat_of(visitor.person), site.remaining(table)))
    me, phase = picture.me(visitor.person), picture.card.phase
    return table_page(request, table, FACE_OF[phase], visitor, "join.html" if joins(me, phase) and not watch else "")


def joins(me: Me, phase: str) -> bool:
    """Whether this visitor is asked to take a seat first."""
    if me.lost is not None:  # the page's socket gives the seat back
        return False
    return me.seat is None and me.claims is None and (phase == "lobby" or bool(me.can_take or me.can_claim))


@router.get("/t/{token}/hand", include_in_schema=False)
async def hand(request: Request, token: str) -> Response:
    """The private hand only, for a phone beside the big screen; before the game the lobby."""
    site = site_of(request)
    table = await site.table(request, token)
    visitor = site.people.visitor(request)
    picture = table.picture
    phase = picture.card.phase
    template = "join.html" if joins(picture.me(visitor.person), phase) else ""
    return table_page(request, table, HAND_OF[phase], visitor, template)


@router.get("/t/{token}/screen", include_in_schema=False)
async def screen(request: Request, token: str) -> Response:
    """The big screen: shows only what everybody may see, even in a player's browser."""
    return table_page(request, await site_of(request).table(request, token), "screen", NOBODY)


@router.get("/t/{token}/rules", include_in_schema=False)
async def rules(request: Request, token: str) -> Response:
    site = site_of(request)
    table = await site.table(request, token)
    return table_page(request, table, FACE_OF[table.picture.card.phase], NOBODY, RULES)


@router.post("/t/{token}/alone", include_in_schema=False)
async def alone(request: Request, token: str) -> Response:
    """From the lobby: fill the table with bots and start."""
    site = site_of(request)
    table = await site.table(request, token)
    visitor = site.people.visitor(request)
    if visitor.person:
        site.limits.person.take(visitor.person)
    await fill(request, table, visitor)
    return redirect(request, f"/t/{token}")


def table_page(
    request: Request,
    table: OpenTable,
    face: str,
    visitor: Visitor,
    template: str = "",
    refusal: Refusal | None = None,
) -> Response:
    site = site_of(request)
    scene = site.scene(table, site.audience(request, face), table.picture.me(visitor.person, visitor.name))
    values = site.fragments.of_page(scene, site.remaining(table))
    values["linked"] = linked(site, scene.picture.game, template)
    if template == RULES and values["summary"] is None:
        values["summary"] = example_summary(scene.picture.game)
    values["beside_screen"] = is_beside_screen(request)
    if face == "screen":
        values["person_name"] = ""
    values["problem"] = problem_with("sit", refusal) if refusal else None
    return page(request, template or FACES[face].page, values, refusal.status if refusal else 200)


def linked(site: Site, game: Game, template: str) -> Loads:
    """The style sheets and scripts of a table's page. Who is to take a seat first needs none of the table's; the rules
    have its styles only."""
    page, table = site.templates.loads("page"), site.templates.loads("table", game)
    if template == RULES:
        return Loads(table.styles, page.scripts)
    return page if template else table


def is_beside_screen(request: Request) -> bool:
    """Whether this is the page of a hand beside a screen, or a form of that page."""
    if request.method == "GET":
        return request.url.path.endswith("/hand")
    return "hand" in request.query_params or request.headers.get("referer", "").endswith("/hand")


# acting -------------------------------------------------------------------------------------------------------------


@router.post("/t/{token}/act", **operation(Version, Message))
async def act(request: Request, token: str) -> Response:
    """Perform an action at the table. A form is redirected to the page; JSON is answered with the new version."""
    site = site_of(request)
    table = await site.table(request, token)
    visitor = site.people.visitor(request)
    if visitor.person:
        site.limits.person.take(visitor.person)
    said = understand(await fields(request))
    path = f"/t/{token}/hand" if is_beside_screen(request) else f"/t/{token}"
    remembered = None
    by_page = not wants_json(request) and not request.headers.get("hx-request")
    try:
        if isinstance(said.message, actions.Sit | actions.Name | actions.Claim):
            if not visitor.person and not isinstance(said.message, actions.Name):
                site.take_arrival(table, site.address(request))
            visitor = remembered = named(site, visitor, said.message.name, said.id)
        version = await site.act(table, visitor, said, site.address(request))
    except Refusal as refusal:
        # The button was pressed twice: show the page.
        if refusal.reason == "seated" and not wants_json(request):
            return redirect(request, path)
        if by_page and isinstance(said.message, actions.Sit | actions.Claim):
            site.note(refusal, request.scope)
            return table_page(request, table, FACE_OF[table.picture.card.phase], visitor, "join.html", refusal)
        raise
    if isinstance(said.message, actions.Sit | actions.Claim):  # the seat asked for may be granted later
        remembered = seated(visitor, table)
    if wants_json(request):
        return remember(request, Json({"version": version}), remembered)
    if request.headers.get("hx-request"):
        return remember(request, Response(status_code=204), remembered)
    # Whoever has asked for a seat watches until it is granted.
    return redirect(request, f"{path}?watch=1" if isinstance(said.message, actions.Claim) else path, remembered)


# another device -----------------------------------------------------------------------------------------------------


@router.post("/t/{token}/device", **operation(DeviceLink))
async def device(request: Request, token: str) -> Response:
    """Create a one-time link that moves the seat to another device."""
    site = site_of(request)
    table = await site.table(request, token)
    visitor = site.people.visitor(request)
    if not visitor.person or table.picture.seat_of(visitor.person) is None:
        raise Refusal("no_seat")
    site.limits.person.take(visitor.person)
    # The secret is in the URL fragment, which browsers do not send: no log or link preview sees it.
    link = f"{site.base(request)}/move#{await site.house.device_link(table, visitor.person)}"
    if wants_json(request):
        return Json({"link": link})
    answer = page(request, "move.html", {"link": link, "token": token})
    answer.headers["cache-control"] = f"no-store, {UNCOMPRESSED}"
    return answer


@router.get("/move", include_in_schema=False)
async def move(request: Request) -> Response:
    return page(request, "move.html", {"link": "", "token": ""})


@router.post("/move", **operation(Joined, OneTime))
async def moved(request: Request) -> Response:
    """Redeem a one-time link: move the seat to this device."""
    site = site_of(request)
    site.limits.address.take(site.address(request))
    found = await fields(request)
    visitor = site.people.visitor(request)
    if not visitor.person:
        visitor = site.people.new("")
    site.limits.lost.take(site.address(request))
    table = await site.house.redeem(str(found.get("token", ""))[:200], visitor.person)
    site.limits.lost.give_back(site.address(request))
    seat = table.picture.seat_of(visitor.person)
    name = table.picture.card.seats[seat].name if seat is not None else visitor.name
    visitor = seated(msgspec.structs.replace(visitor, name=name), table)
    path = f"/t/{table.picture.token}"
    if wants_json(request):
        return Json({"token": table.picture.token, **opened(site, request, table, visitor)})
    return redirect(request, path, visitor)


# logging out -------------------------------------------------------------------------------------------------------


@router.post("/logout", **operation(LoggedOut, LogOut))
async def log_out(request: Request) -> Response:
    """Log out everywhere: make all cookies and bearer tokens of this person void, and send other devices away from the
    person's seats. Whoever asks gets a new one, unless `here` is said."""
    site = site_of(request)
    found = await fields(request)
    visitor = site.people.visitor(request)
    if not visitor.person:
        raise Refusal("no_person")
    site.limits.logouts.take(site.address(request))
    count = await site.house.log_out_everywhere(visitor.person)
    visitor = msgspec.structs.replace(visitor, logouts=count)
    stays, path = not says_yes(found, "here"), str(found.get("next", "/"))
    if wants_json(request):
        token = site.people.sign(visitor) if stays and bearer(request) is not None else ""
        response: Response = Json({"bearer": token})
    else:
        response = redirect(request, path if local(path) else "/")
    if stays:
        return remember(request, response, visitor)
    forget(response)
    return response
