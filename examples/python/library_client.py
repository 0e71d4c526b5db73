"""The same with requests and websockets. library_client.py [BASE_URL ACCESS_KEY SECRET_KEY]"""

import asyncio
import json
import random
import sys

import requests
import websockets

from signing import signed
from trader import Trader

BASE_URL, KEY, SECRET = sys.argv[1:] or ["http://127.0.0.1:4010", "demo", "demo-secret"]
PING_S = 25
OVER = (websockets.WebSocketException, OSError, asyncio.TimeoutError)


def read(path):
    answer = requests.get(f"{BASE_URL}/api/upgrade/v2{path}?{signed(KEY, SECRET)}", timeout=10)
    answer.raise_for_status()
    return answer.json()["data"]


async def heartbeat(socket):
    """Protocol pings, which the library sends by itself, do not count as something said."""
    while True:
        await asyncio.sleep(PING_S)
        await socket.send('{"method":"ping"}')


async def follow(trader):
    address = BASE_URL.replace("http", "ws", 1)
    async with websockets.connect(f"{address}/api/upgrade/v2/hl/ws?{signed(KEY, SECRET)}", max_size=None) as socket:
        for kind in ("l2Book", "trades"):
            subscription = {"type": kind, "coin": "BTC"}
            await socket.send(json.dumps({"method": "subscribe", "subscription": subscription}))
        trader.connected()
        print("connected", flush=True)
        pings = asyncio.create_task(heartbeat(socket))
        try:
            while True:
                trader.take(json.loads(await asyncio.wait_for(socket.recv(), 60)))
        finally:
            pings.cancel()


async def live():
    print("BTC costs", next(row["price"] for row in read("/hl/tickers") if row["coin"] == "BTC"), flush=True)
    trader, attempt = Trader(), 0
    loop = asyncio.get_running_loop()
    while True:
        began_s = loop.time()
        try:
            await follow(trader)
        except OVER as error:
            print(f"lost ({error}), connecting again", flush=True)
        attempt = 0 if loop.time() - began_s > 30 else attempt + 1
        await asyncio.sleep(min(30, 0.1 * 2**attempt) * random.uniform(0.5, 1))


if __name__ == "__main__":
    try:
        asyncio.run(live())
    except KeyboardInterrupt:
        pass
