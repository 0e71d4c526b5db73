"""The four query parameters that every request and every socket carries."""

import base64
import hashlib
import hmac
import secrets
import time
from urllib.parse import urlencode


def signed(access_key, secret_key):
    """A query string that is good for 30 s and for one use: sign anew for each request."""
    text = f"AccessKeyId={access_key}&SignatureNonce={secrets.token_hex(8)}&Timestamp={int(time.time())}"
    digest = hmac.new(secret_key.encode(), text.encode(), hashlib.sha1).hexdigest()
    # What is encoded is the hexadecimal text, not the digest's bytes.
    signature = base64.b64encode(digest.encode()).decode()
    return f"{text}&{urlencode({'Signature': signature})}"
