"""What was rendered is remembered, for a while."""

from app.web.render_cache import RenderCache


def test_a_part_is_made_once() -> None:
    cache, made = RenderCache(), []

    def make() -> str:
        made.append(1)
        return "<p>"

    assert [cache.get(("table", 4, "board", "en", None), make) for _ in range(3)] == ["<p>"] * 3
    assert len(made) == 1
    for other in (
        ("other", 4, "board", "en", None),
        ("table", 5, "board", "en", None),
        ("table", 4, "waits", "en", None),
        ("table", 4, "board", "ru", None),
        ("table", 4, "board", "en", 2),
    ):
        cache.get(other, make)
    assert len(made) == 6


def test_what_was_not_used_for_a_while_is_dropped() -> None:
    cache = RenderCache()
    for n in range(3 * RenderCache.MOST):
        assert cache.get(("table", n, "board", "", None), lambda n=n: str(n)) == str(n)  # type: ignore[misc]
        cache.get(("table", 0, "waits", "", None), lambda: "first")
    assert len(cache.recent) + len(cache.older) <= 2 * RenderCache.MOST
    assert cache.get(("table", 0, "waits", "", None), lambda: "again") == "first"
    assert cache.get(("table", 0, "board", "", None), lambda: "again") == "again"
