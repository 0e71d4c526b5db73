"""A pytest fixture: each test gets a sandbox of Tapewright.

The server is that of TAPEWRIGHT_URL; without it, one is started for the test session by the command
in TAPEWRIGHT (`npx -y tapewright`).
"""

import base64
import hashlib
import hmac
import json
import os
import shlex
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

import pytest

PREFIX = "/api/upgrade/v2"


class ControlError(Exception):
    """A refusal of the control plane, in its own words."""


class Sandbox:
    """A stand-in of one's own: `base_url`, `ws_base_url`, `keys`, a clock, scenarios and events."""

    def __init__(self, server: str, record: dict):
        self.server = server
        self.id = record["id"]
        self.base_url = record["baseUrl"]
        self.ws_base_url = record["wsBaseUrl"]
        self.keys = record["keys"]

    def signed(self, path: str, key: str = "full", **params) -> str:
        """The URL of a signed request; `key` is full, partner, sub or bare."""
        pair = self.keys[key]
        signed = {
            "AccessKeyId": pair["accessKey"],
            "SignatureNonce": uuid.uuid4().hex,
            "Timestamp": str(int(time.time())),
        }
        text = "&".join(f"{name}={value}" for name, value in signed.items())
        digest = hmac.new(pair["secretKey"].encode(), text.encode(), hashlib.sha1).hexdigest()
        signature = base64.b64encode(digest.encode()).decode()
        query = urllib.parse.urlencode({**params, **signed, "Signature": signature})
        return f"{self.base_url}{PREFIX}{path}?{query}"

    def get(self, path: str, key: str = "full", **params) -> tuple:
        """Status and JSON of a signed GET, such as `get("/hl/tickers")`."""
        try:
            with urllib.request.urlopen(self.signed(path, key, **params)) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            return refused.code, json.load(refused)

    def control(self, method: str, path: str = "", body=None):
        """A call of the control plane below this sandbox, such as `control("POST", "/reset")`."""
        return control(self.server, method, f"/sandboxes/{self.id}{path}", body)

    def advance(self, ms: int) -> None:
        """Moves a held clock; every push until then has been queued when it returns."""
        self.control("POST", "/clock/advance", {"ms": ms})

    def scenario(self, name: str) -> None:
        """Switches a scenario of the library on."""
        self.control("PUT", "/scenario", {"name": name})

    def trigger(self, **event) -> dict:
        """A market event, such as `trigger(kind="move", coin="BTC", pct=-5, overS=60)`."""
        return self.control("POST", "/market/events", event)


def control(server: str, method: str, path: str, body=None):
    """A call of the control plane; a ControlError for a refusal."""
    headers = {"content-type": "application/json"}
    token = os.environ.get("TAPEWRIGHT_CONTROL_TOKEN")
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{server}/_control{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        raise ControlError(json.load(refused)["error"]) from None


@pytest.fixture(scope="session")
def tapewright_server():
    """The address of a server; one that is started here ends with the session."""
    if os.environ.get("TAPEWRIGHT_URL"):
        yield os.environ["TAPEWRIGHT_URL"].rstrip("/")
        return
    command = shlex.split(os.environ.get("TAPEWRIGHT", "npx -y tapewright"))
    arguments = ["serve", "--port", "0", "--json"]
    server = subprocess.Popen(command + arguments, stdout=subprocess.PIPE, text=True)
    try:
        first = server.stdout.readline()
        if not first:
            raise RuntimeError(f"{' '.join(command)} ended with code {server.wait()}")
        yield json.loads(first)["baseUrl"]
    finally:
        server.terminate()
        server.wait()


@pytest.fixture
def tapewright(tapewright_server, request):
    """A sandbox with a held clock, dropped after the test.

    `@pytest.mark.tapewright(seed=7, scenario="stale-book")` gives other options of
    `POST /_control/sandboxes`.
    """
    mark = request.node.get_closest_marker("tapewright")
    options = {"clock": "held", **(mark.kwargs if mark else {})}
    sandbox = Sandbox(tapewright_server, control(tapewright_server, "POST", "/sandboxes", options))
    yield sandbox
    sandbox.control("DELETE")


def pytest_configure(config):
    """Declares the mark."""
    config.addinivalue_line("markers", "tapewright(**options): options of the test's sandbox")
