"""Responses: pages, JSON, and refusals in the format that the client reads."""

import math
import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.refusals import Reason, Refusal
from app.web.people import Visitor, bearer
from app.web.site import Site

TABLE = re.compile(r"/t/[\w-]+")
PROGRAMS = re.compile(r"/t/[^/]+/(events|join|log)")  # these paths have no HTML page

NOTHING: Mapping[str, Any] = {}


class Json(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return content if isinstance(content, bytes) else msgspec.json.encode(content)


def site_of(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


def wants_json(request: Request) -> bool:
    """Does the client want JSON instead of a page?"""
    accept = request.headers.get("accept", "")
    if "text/html" in accept:
        return False
    if PROGRAMS.fullmatch(request.url.path):
        return True
    posted = request.headers.get("content-type", "").startswith("application/json")
    return "application/json" in accept or posted or bearer(request) is not None


def page(request: Request, template: str, context: Mapping[str, Any], status: int = 200) -> Response:
    site = site_of(request)
    language = site.language(request)
    about = {
        "path": path_back(request),
        "person_name": site.people.visitor(request).name,
        "notice": "",
        "linked": site.templates.loads("page"),
    }
    html = site.templates.page(language, template, {**about, **context})
    return HTMLResponse(html, status, headers={"vary": "Accept, Accept-Language, Cookie", "content-language": language})


def path_back(request: Request) -> str:
    """The path to return to after the language was changed."""
    if request.method != "GET":
        table = TABLE.match(request.url.path)
        return table[0] if table else "/"
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def redirect(request: Request, path: str, visitor: Visitor | None = None) -> Response:
    response = RedirectResponse(path, 303)
    return remember(request, response, visitor)


def remember(request: Request, response: Response, visitor: Visitor | None) -> Response:
    """Set the visitor's cookie, unless the client uses a bearer token."""
    if visitor is not None and bearer(request) is None:
        secure = request.scope["scheme"] == "https"
        site_of(request).people.remember(response, visitor, secure)
    return response


class FormProblem(Struct, frozen=True):
    """Why a form was refused; shown beside the field, or above the form if it is about none."""

    form: str
    field: str
    text: str


FIELDS: dict[Reason, str] = {
    "no_name": "name",
    "wrong_password": "password",
    "unknown_code": "code",
    "locked_code": "code",
}


def problem_with(form: str, refusal: Refusal) -> FormProblem:
    return FormProblem(form, FIELDS.get(refusal.reason, ""), refusal.text)


def front(site: Site, problem: FormProblem | None = None, typed: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
    """The context of the home page; `typed` is what its form had when it was refused."""
    return {"needs_password": bool(site.settings.table_password), "problem": problem, "typed": typed, "last": None}


def refused(request: Request, refusal: Refusal) -> Response:
    site = site_of(request)
    site.note(refusal, request.scope)
    wait = {"retry-after": str(math.ceil(refusal.wait or 1))} if refusal.status in (429, 503) else {}
    if wants_json(request):
        return Json(site.error(refusal, site.language(request)), refusal.status, headers=wait)
    if request.url.path in ("/tables", "/join"):
        problem = problem_with(request.url.path[1:], refusal)
        typed = getattr(request.state, "typed", NOTHING)
        response = page(request, "home.html", front(site, problem, typed), refusal.status)
        response.headers.update(wait)
        return response
    table = TABLE.match(request.url.path)
    back = table[0] if table and refusal.reason != "unknown_table" else "/"
    response = page(request, "error.html", {"refusal": refusal, "text": refusal.text, "back": back}, refusal.status)
    response.headers.update(wait)
    return response
