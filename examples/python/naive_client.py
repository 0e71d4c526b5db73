"""A client as it is first written. naive_client.py [BASE_URL ACCESS_KEY SECRET_KEY]"""

import json
import sys
from urllib.request import urlopen

from plain_socket import PlainSocket
from signing import signed

BASE_URL, KEY, SECRET = sys.argv[1:] or ["http://127.0.0.1:4010", "demo", "demo-secret"]

tickers = json.load(urlopen(f"{BASE_URL}/api/upgrade/v2/hl/tickers?{signed(KEY, SECRET)}"))["data"]
print("BTC costs", next(row["price"] for row in tickers if row["coin"] == "BTC"), flush=True)

address = BASE_URL.replace("http", "ws", 1)
socket = PlainSocket(f"{address}/api/upgrade/v2/hl/ws?{signed(KEY, SECRET)}")
for kind in ("l2Book", "trades"):
    subscription = {"type": kind, "coin": "BTC"}
    socket.send(json.dumps({"method": "subscribe", "subscription": subscription}))
print("connected", flush=True)
book = None
while True:
    frame = json.loads(socket.receive(None))
    if frame["channel"] == "l2Book":
        book = frame["data"]
    elif frame["channel"] == "trades" and book is not None:
        print(f"order at {book['levels'][1][0]['px']}", flush=True)
