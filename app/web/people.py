"""Identity: a guest is a random id and a name, in a signed cookie or bearer token."""

import base64
import hmac
import secrets
import time
from collections.abc import Callable

from itsdangerous import BadData, URLSafeTimedSerializer
from msgspec import Struct
from starlette.requests import HTTPConnection
from starlette.responses import Response

COOKIE = "facedown"
SECRET_ID = 16  # characters from which on the id of a message is taken for one that nobody else sends
AGE = 400 * 86400  # as long as browsers keep a cookie


class Visitor(Struct, frozen=True):
    person: str = ""  # "": none yet; may only watch
    name: str = ""  # the last name used, to prefill forms
    table: str = ""  # the token of the table at which the person sat down last
    logouts: int = 0  # how often the person had logged out everywhere before this was signed


NOBODY = Visitor()


class People:
    def __init__(self, key: str, valid: Callable[[str, int], bool] = lambda person, logouts: not logouts) -> None:
        """`valid`: whether what was signed for this person after this many logouts is not void."""
        self.valid = valid
        self.key = key.encode()
        self.serializer = URLSafeTimedSerializer(key, salt="facedown person")

    def new(self, name: str, id: str = "") -> Visitor:
        """A new person. Messages with the same long `id` come from the same one: a client that got no answer sends its
        message again."""
        return Visitor(self.derived("person", id) if len(id) >= SECRET_ID else secrets.token_urlsafe(16), name)

    def derived(self, *of: str) -> str:
        """A text like a random token, but always the same for the same arguments; others cannot compute it."""
        digest = hmac.digest(self.key, "\n".join(of).encode(), "sha256")
        return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()

    def sign(self, visitor: Visitor) -> str:
        more = [visitor.logouts] if visitor.logouts else []
        return self.serializer.dumps([visitor.person, visitor.name, visitor.table, *more])

    def read(self, signed: str | None) -> Visitor:
        """The visitor of a signed value; NOBODY if it is forged, expired, void, or from another server."""
        return self.current(self.signed(signed))

    def current(self, visitor: Visitor) -> Visitor:
        """The visitor, or NOBODY if this person has logged out everywhere since."""
        return visitor if self.valid(visitor.person, visitor.logouts) else NOBODY

    def signed(self, signed: str | None) -> Visitor:
        if not signed or len(signed) > 1000:
            return NOBODY
        try:
            content, signed_at = self.serializer.loads(signed, return_timestamp=True)
            # A signature from the future is one of a clock that was ahead, and counts as one of now.
            if time.time() - signed_at.timestamp() > AGE:
                return NOBODY
            match content:
                case [str(person), str(name), str(table), int(logouts)] if person:
                    return Visitor(person, name, table, logouts)
                case [str(person), str(name), str(table)] if person:
                    return Visitor(person, name, table)
                case [str(person), str(name)] if person:  # of earlier versions
                    return Visitor(person, name)
        except BadData:
            pass
        return NOBODY

    def visitor(self, connection: HTTPConnection) -> Visitor:
        """The bearer token takes precedence over the cookie: a script in a browser acts as its own person."""
        if (token := bearer(connection)) is not None:
            return self.read(token)
        return self.read(connection.cookies.get(COOKIE))

    def remember(self, response: Response, visitor: Visitor, secure: bool) -> None:
        response.set_cookie(
            COOKIE, self.sign(visitor), max_age=AGE, path="/", httponly=True, samesite="lax", secure=secure
        )


def forget(response: Response) -> None:
    response.delete_cookie(COOKIE, path="/")


def bearer(connection: HTTPConnection) -> str | None:
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None
