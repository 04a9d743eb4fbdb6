"""The edge middleware: hosts, proxies, origins, and the headers of responses."""

from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from tests.app.web.conftest import Guest, Serve, Web

Guests = Callable[..., Guest]


async def test_every_answer_is_guarded(web: Web, guest: Guests) -> None:
    ada = guest("Ada")
    table = await ada.open()
    for path in ("/", table, f"{table}/screen", "/nowhere", "/static/css/base.css", "/healthz"):
        answer = await ada.http.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "strict-transport-security" not in answer.headers
    assert (await ada.http.get(table)).headers["cache-control"] == "no-store"


async def test_a_post_from_another_site_is_refused(web: Web, guest: Guests) -> None:
    ada = guest("Ada")
    table = await ada.open()
    for origin in ("http://evil.test", "null", "", "http://127.0.0.1:1", "http://[", f"{web.url}.evil.test", "file://"):
        answer = await ada.http.post(f"{table}/act", data={"do": "addbot"}, headers={"origin": origin})
        assert answer.status_code == 403, origin
        assert "another site" in answer.text
    view = await ada.view(table)
    assert [seat["kind"] for seat in view["table"]["seats"]].count("bot") == 0


async def test_a_form_without_an_origin_is_refused_but_a_program_is_not(web: Web, guest: Guests) -> None:
    ada = guest("Ada")
    table = await ada.open()
    async with httpx.AsyncClient(base_url=web.url, trust_env=False, timeout=60) as program:
        assert (await program.post("/tables", data={"game": "raiders", "name": "Eve"})).status_code == 403
        joined = await program.post(f"{table}/join", json={"name": "Bo"})
        assert joined.status_code == 201
        program.headers["authorization"] = f"Bearer {joined.json()['bearer']}"
        assert (await program.post(f"{table}/act", data={"do": "ready"})).status_code == 200


@pytest.mark.parametrize("host", ["", "a b", "a/b", "a,b", "[::1", "x:99999", "x:y", "<script>", "a" * 300])
async def test_invalid_host_headers_are_refused(web: Web, host: str) -> None:
    async with httpx.AsyncClient(base_url=web.url, trust_env=False, timeout=60) as anyone:
        assert (await anyone.get("/", headers={"host": host})).status_code == 400


@pytest.mark.parametrize("host", ["localhost", "192.168.1.7:8000", "[::1]:8000", "[2001:db8::7]", "raspberry_pi.local"])
async def test_valid_host_headers_are_accepted(web: Web, host: str) -> None:
    async with httpx.AsyncClient(base_url=web.url, trust_env=False, timeout=60) as anyone:
        answer = await anyone.get("/", headers={"host": host})
        assert answer.status_code == 200
        assert (f"ws://{host};" in answer.headers["content-security-policy"]) == ("[" not in host and "_" not in host)


async def test_a_name_that_another_site_may_own_is_refused(web: Web, guest: Guests) -> None:
    """DNS rebinding: with such a name a browser would let the other site read our answers."""
    ada = guest("Ada")
    table = await ada.open()
    for host in ("evil.test", "127.0.0.1.evil.test", "localhost.evil.test:8000", "evil.test."):
        for path in ("/", table, "/metrics"):
            answer = await ada.http.get(path, headers={"host": host})
            assert answer.status_code == 421, (host, path)
            assert "ALLOWED_HOSTS" in answer.text
        made = await ada.http.post("/tables", json={"game": "raiders", "name": "Eve"}, headers={"host": host})
        assert made.status_code == 421


async def test_a_trusted_proxy_tells_scheme_client_and_host(serve_here: Serve) -> None:
    async with serve_here(trusted_proxies="127.0.0.1", limit_codes=1, allowed_hosts="cards.example.org") as web:
        forwarded = {"x-forwarded-proto": "https", "x-forwarded-host": "cards.example.org"}
        ada = Guest(web, "Ada", **forwarded, **{"x-forwarded-for": "203.0.113.7"})
        ada.http.headers["origin"] = "https://cards.example.org"
        answer = await ada.http.post("/tables", data={"game": "raiders", "name": "Ada"})
        assert "Secure" in answer.headers["set-cookie"]
        assert "Secure" in (await ada.http.post("/lang", data={"lang": "ru"})).headers["set-cookie"]
        assert "strict-transport-security" in answer.headers
        assert "wss://cards.example.org" in answer.headers["content-security-policy"]
        made = await ada.http.post("/tables", json={"game": "raiders", "name": "Ada"})
        assert made.json()["link"].startswith("https://cards.example.org/t/")
        for _ in range(5):
            answer = await ada.http.post("/join", json={"code": "XXXXXX"})
        assert answer.status_code == 429
        ada.http.headers["x-forwarded-for"] = "198.51.100.1, 203.0.113.8"  # the client's own entries do not count
        assert (await ada.http.post("/join", json={"code": "XXXXXX"})).status_code == 404


async def test_a_stranger_who_claims_to_be_a_proxy_is_not_believed(web: Web, guest: Guests) -> None:
    eve = guest(
        "Eve", **{"x-forwarded-proto": "https", "x-forwarded-host": "evil.test", "x-forwarded-for": "203.0.113.7"}
    )
    answer = await eve.http.post("/tables", json={"game": "raiders", "name": "Eve"})
    assert answer.json()["link"].startswith(web.url)
    assert "strict-transport-security" not in answer.headers
    answer = await eve.http.post("/tables", data={"game": "raiders", "name": "Eve"})
    assert "secure" not in answer.headers["set-cookie"].lower()


async def test_links_carry_the_public_url(serve_here: Serve) -> None:
    async with serve_here(public_url="https://cards.example.org") as web:
        ada = Guest(web, "Ada")
        made = await ada.http.post("/tables", json={"game": "raiders", "name": "Ada"})
        assert made.json()["link"].startswith("https://cards.example.org/t/")
        ada.http.headers["origin"] = "https://cards.example.org"  # the proxy passes on another host
        assert (await ada.http.post("/tables", json={"game": "raiders", "name": "Ada"})).status_code == 201


async def test_bodies_that_are_too_big(web: Web, guest: Guests) -> None:
    ada = guest("Ada")
    table = await ada.open()
    answer = await ada.http.post(f"{table}/act", content=b"x" * 70_000, headers={"content-type": "application/json"})
    assert answer.status_code == 413

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 1000

    answer = await ada.http.post(f"{table}/act", content=chunks(), headers={"content-type": "application/json"})
    assert answer.status_code == 413
    for kind in ("text/plain", "multipart/form-data; boundary=x", "application/xml", ""):
        answer = await ada.http.post(f"{table}/act", content=b"do=start", headers={"content-type": kind})
        assert answer.status_code == 415, kind


async def test_static_files_may_be_kept_for_ever_by_their_hash(web: Web, guest: Guests) -> None:
    ada = guest("Ada")
    url = web.site.templates.asset("css/base.css")
    answer = await ada.http.get(url)
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]
    plain = await ada.http.get(url.partition("?")[0])
    assert plain.headers["cache-control"] == "no-cache"
    again = await ada.http.get(url, headers={"if-none-match": plain.headers["etag"]})
    assert again.status_code == 304
    for path in ("/static/", "/static/../app/cli.py", "/static/%2e%2e/app/cli.py", "/static/css", "/static/css%00"):
        assert (await ada.http.get(path)).status_code == 404


async def test_metrics_are_private(serve_here: Serve) -> None:
    async with serve_here() as web, httpx.AsyncClient(base_url=web.url, trust_env=False, timeout=60) as anyone:
        assert "facedown_requests_total" in (await anyone.get("/metrics")).text
        assert (await anyone.get("/metrics", headers={"x-forwarded-for": "203.0.113.7"})).status_code == 403
        assert (await anyone.get("/metrics", headers={"host": "cards.local"})).status_code == 403
    async with (
        serve_here(metrics_token="let me see") as web,
        httpx.AsyncClient(base_url=web.url, trust_env=False, timeout=60) as anyone,
    ):
        assert (await anyone.get("/metrics")).status_code == 403
        assert (await anyone.get("/metrics", headers={"authorization": "Bearer let me see"})).status_code == 200


async def test_health(web: Web, guest: Guests) -> None:
    anyone = guest("")
    assert (await anyone.http.get("/healthz")).status_code == 200
    assert (await anyone.http.get("/readyz")).status_code == 200
    assert (await anyone.http.head("/healthz")).status_code == 200
