"""Request and response schemas of the OpenAPI document; actions bring their own."""

from typing import Any

import msgspec
from fastapi import FastAPI
from msgspec import Struct

from app.refusals import TEXTS
from app.table.picture import Card
from engine.views import Own, Shared

REF = "#/components/schemas/{name}"


class View(Struct):
    """A table as seen from one seat or by a spectator."""

    version: int
    phase: str
    plays: int
    table: Card
    shared: Shared | None
    own: Own | None
    remaining: float | None
    events: list[dict[str, Any]] = []


class Joined(Struct):
    seat: int | None
    bearer: str = ""  # not sent to a browser that has a cookie
    version: int = 0
    token: str = ""
    link: str = ""
    code: str = ""


class Found(Struct):
    token: str
    link: str


class DeviceLink(Struct):
    link: str


class Version(Struct):
    version: int


class Checked(Struct):
    holds: bool
    finished: bool
    line: int | None
    text: str


class Problem(Struct):
    reason: str
    text: str
    version: int | None
    id: str = ""


class Error(Struct):
    error: Problem


class NewTable(Struct):
    game: str
    name: str = ""  # not needed with `bots` or `screen`
    bots: bool = False
    screen: bool = False
    password: str = ""
    salt: str = ""
    id: str = ""


class Code(Struct):
    code: str


class TakeSeat(Struct):
    name: str
    seat: int | None = None
    salt: str = ""
    id: str = ""


class OneTime(Struct):
    token: str


class LogOut(Struct):
    here: bool = False  # this browser or program, too


class LoggedOut(Struct):
    bearer: str = ""  # the new token of the program that asked


def operation(answer: Any, body: Any = None, status: int = 200, kind: str = "application/json") -> dict[str, Any]:
    """Keyword arguments for a route: response (of this media type), request body and errors."""
    told = {"content": {kind: {"schema": schema(answer)}}}
    responses: dict[int | str, dict[str, Any]] = {status: {"description": "Done", **told}}
    if status != 200 or body is not None:
        responses[303] = {"description": "Done; a form is sent on to the page"}
    for wrong in sorted({status for status, _ in TEXTS.values()} - {500}):
        responses[wrong] = {"description": "Refusal", "content": {"application/json": {"schema": schema(Error)}}}
    extra = {}
    if body is not None:
        kinds = ("application/json", "application/x-www-form-urlencoded")
        extra = {"requestBody": {"required": True, "content": {kind: {"schema": schema(body)} for kind in kinds}}}
    return {"responses": responses, "openapi_extra": extra, "status_code": status}


NAMED: dict[str, Any] = {}


def schema(kind: Any) -> dict[str, Any]:
    (found,), parts = msgspec.json.schema_components([kind], ref_template=REF)
    NAMED.update(parts)
    return found


def describe(app: FastAPI) -> None:
    """Add the schemas that routes refer to."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        document = made()
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        schemas.update(NAMED)
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)  # we answer them as refusals with status 400
        for methods in document["paths"].values():
            for described in methods.values():
                described["responses"].pop("422", None)
        return document

    app.openapi = openapi  # type: ignore[method-assign]
