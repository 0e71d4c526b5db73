"""A WebSocket client of the standard library alone: text frames of RFC 6455."""

import base64
import os
import select
import socket
import ssl
import struct
from urllib.parse import urlsplit

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Closed(Exception):
    """The connection is over."""


class PlainSocket:
    def __init__(self, url, timeout_s=10):
        at = urlsplit(url)
        secure = at.scheme == "wss"
        port = at.port or (443 if secure else 80)
        self.socket = socket.create_connection((at.hostname, port), timeout_s)
        if secure:
            context = ssl.create_default_context()
            self.socket = context.wrap_socket(self.socket, server_hostname=at.hostname)
        self.received = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {at.path}?{at.query} HTTP/1.1\r\nHost: {at.netloc}\r\n"
            "Connection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        while b"\r\n\r\n" not in self.received:
            self._receive()
        head, self.received = self.received.split(b"\r\n\r\n", 1)
        status = head.split(b"\r\n", 1)[0].decode()
        if " 101 " not in status:
            raise Closed(status)

    def send(self, text, kind=TEXT):
        payload = text.encode() if isinstance(text, str) else text
        mask = os.urandom(4)
        length = len(payload)
        size = struct.pack("!B", 0x80 | length) if length < 126 else struct.pack("!BH", 0xFE, length)
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
        self.socket.sendall(bytes([0x80 | kind]) + size + mask + masked)

    def receive(self, wait_s):
        """The next text; None when none has come for so long. Closed when there is no more."""
        text = b""
        while True:
            if not self.received and not self._is_readable(wait_s):
                return None
            is_last, kind, payload = self._frame()
            if kind == CLOSE:
                raise Closed("closed by the server")
            if kind == PING:
                self.send(payload, PONG)
            elif kind != PONG:
                text += payload
                if is_last:
                    return text.decode()

    def close(self):
        self.socket.close()

    def _is_readable(self, wait_s):
        pending = self.socket.pending() if isinstance(self.socket, ssl.SSLSocket) else 0
        return pending > 0 or bool(select.select([self.socket], [], [], wait_s)[0])

    def _frame(self):
        first, second = self._take(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack("!H", self._take(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self._take(8))
        return first & 0x80, first & 0x0F, self._take(length)

    def _take(self, length):
        while len(self.received) < length:
            self._receive()
        taken, self.received = self.received[:length], self.received[length:]
        return taken

    def _receive(self):
        try:
            more = self.socket.recv(65_536)
        except OSError as error:
            raise Closed(str(error)) from error
        if not more:
            raise Closed("the connection was lost")
        self.received += more
