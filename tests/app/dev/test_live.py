"""What a server has for development only."""

from tests.support.server import Server


def test_a_server_for_people_has_none_of_it(server: Server) -> None:
    for path in ("/dev", "/dev/changes", "/dev/files/reload.js", "/dev/files/desk.js"):
        assert server.get(path)[0] == 404
    assert "/dev/" not in server.get("/about")[1]
