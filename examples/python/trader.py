"""A trader that buys at the best ask whenever somebody trades, unless the book is old."""

OLD_MS = 3_000


class Trader:
    def __init__(self):
        self.book = None

    def connected(self):
        """A book of the connection before tells nothing."""
        self.book = None

    def take(self, frame):
        channel, data = frame.get("channel"), frame.get("data")
        if channel == "l2Book":
            self.book = data
        elif channel == "trades":
            self.decide(max(trade["time"] for trade in data))

    def decide(self, now_ms):
        """By the market's own time: this machine's clock may differ, and the market may be held."""
        if self.book is None:
            return
        behind_ms = now_ms - self.book["time"]
        if self.book.get("stale") or behind_ms > OLD_MS:
            print(f"no order: the book is {behind_ms} ms behind", flush=True)
        else:
            print(f"order at {self.book['levels'][1][0]['px']}", flush=True)
