"""A seek survives that every process is killed at once."""

import pytest

from tests.chaos.kills import Killer
from tests.served import Served

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("serve")]
ALL = ("web", "worker", "Valkey", "Postgres")


def waiting(caller):
    return [seek["id"] for seek in caller.get("/api/v1/seeks").json()["results"]]


def test_a_seek_survives_the_killing_of_every_process(tmp_path_factory):
    folder = tmp_path_factory.mktemp("killed") / "state"
    with Served(folder) as service:
        ada, ben = (service.caller().sign_in_as_guest() for _ in range(2))
        seek = ada.post("/api/v1/seeks", {"game": "pisti"}).json()
        killed = Killer(service).kill(ALL)
        assert killed.came_back
        caller = service.caller()
        caller.use_key(ada.key)
        assert waiting(caller) == [seek["id"]]
        other = service.caller()
        other.use_key(ben.key)
        other.post("/api/v1/seeks", {"game": "pisti"})
        mine = f"/api/v1/seeks/{seek['id']}"
        assert service.wait_for(lambda: caller.get(mine).json()["match"] is not None, 15)
        match = caller.get(mine).json()["match"]
        assert other.get(f"/api/v1/matches/{match}").json()["status"] == "active"
        with service.database() as database:
            assert database.execute("SELECT count(*) FROM games_match").fetchone() == (1,)
