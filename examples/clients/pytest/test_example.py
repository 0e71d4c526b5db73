"""What the fixture gives; the tests of a client look the same."""

import pytest


def test_a_signed_request_is_answered(tapewright):
    status, body = tapewright.get("/hl/tickers/coin/BTC")
    assert status == 200
    assert body["data"]["coin"] == "BTC"


def test_a_key_without_permissions_is_refused(tapewright):
    status, body = tapewright.get("/hl/tickers", key="bare")
    assert status == 403
    assert "HL_TICKERS" in body["msg"]


def test_the_clock_moves_by_hand(tapewright):
    before = tapewright.control("GET")["clock"]["now"]
    tapewright.advance(60_000)
    assert tapewright.control("GET")["clock"]["now"] == before + 60_000


@pytest.mark.tapewright(scenario="maintenance")
def test_a_scenario_is_on_from_the_start(tapewright):
    assert tapewright.control("GET")["scenarios"] == ["maintenance"]
