"""A client that lives: the standard library alone. client.py [BASE_URL ACCESS_KEY SECRET_KEY]"""

import json
import random
import sys
import time
from urllib.request import urlopen

from plain_socket import Closed, PlainSocket
from signing import signed
from trader import Trader

BASE_URL, KEY, SECRET = sys.argv[1:] or ["http://127.0.0.1:4010", "demo", "demo-secret"]
SILENT_S = 60
PING_S = 25


def read(path):
    with urlopen(f"{BASE_URL}/api/upgrade/v2{path}?{signed(KEY, SECRET)}", timeout=10) as answer:
        return json.load(answer)["data"]


def follow(trader):
    """Until the connection is over, which it says by Closed."""
    address = BASE_URL.replace("http", "ws", 1)
    socket = PlainSocket(f"{address}/api/upgrade/v2/hl/ws?{signed(KEY, SECRET)}")
    try:
        for kind in ("l2Book", "trades"):
            subscription = {"type": kind, "coin": "BTC"}
            socket.send(json.dumps({"method": "subscribe", "subscription": subscription}))
        trader.connected()
        print("connected", flush=True)
        pinged_s = heard_s = time.monotonic()
        while True:
            text = socket.receive(1)
            now_s = time.monotonic()
            if text is not None:
                heard_s = now_s
                trader.take(json.loads(text))
            if now_s - heard_s > SILENT_S:
                raise Closed("nothing has come, no answer to a ping either")
            # Who says nothing for 60 s is disconnected, whatever the server pushes.
            if now_s - pinged_s > PING_S:
                socket.send('{"method":"ping"}')
                pinged_s = now_s
    finally:
        socket.close()


def live():
    print("BTC costs", next(row["price"] for row in read("/hl/tickers") if row["coin"] == "BTC"), flush=True)
    trader, attempt = Trader(), 0
    while True:
        began_s = time.monotonic()
        try:
            follow(trader)
        except (Closed, OSError) as error:
            print(f"lost ({error}), connecting again", flush=True)
        attempt = 0 if time.monotonic() - began_s > 30 else attempt + 1
        # Not all clients at once.
        time.sleep(min(30, 0.1 * 2**attempt) * random.uniform(0.5, 1))


if __name__ == "__main__":
    try:
        live()
    except KeyboardInterrupt:
        pass
