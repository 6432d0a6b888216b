"""Just enough of PNG to look at a screenshot: 8 bits a channel, RGB or RGBA, not interlaced."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def decode(data):
    """(width, height, bytes a pixel, list of rows as bytearray)."""
    if not data.startswith(SIGNATURE):
        raise ValueError("not a PNG file")
    at, header, packed = len(SIGNATURE), None, []
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        at += length + 12
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed.append(body)
    width, height, depth, colour, _, _, interlace = header
    if depth != 8 or colour not in (2, 6) or interlace:
        raise ValueError(f"PNG of depth {depth}, colour type {colour}, interlace {interlace}")
    size = 3 if colour == 2 else 4
    raw = zlib.decompress(b"".join(packed))
    rows, above, stride = [], bytearray(width * size), width * size
    for y in range(height):
        start = y * (stride + 1)
        above = _unfilter(raw[start], bytearray(raw[start + 1 : start + 1 + stride]), above, size)
        rows.append(above)
    return width, height, size, rows


def _unfilter(kind, row, above, size):
    if kind == 1:  # left
        for i in range(size, len(row)):
            row[i] = (row[i] + row[i - size]) & 255
    elif kind == 2:  # up
        for i, up in enumerate(above):
            row[i] = (row[i] + up) & 255
    elif kind == 3:  # mean of both
        for i, up in enumerate(above):
            left = row[i - size] if i >= size else 0
            row[i] = (row[i] + (left + up) // 2) & 255
    elif kind == 4:  # Paeth
        for i, up in enumerate(above):
            left = row[i - size] if i >= size else 0
            corner = above[i - size] if i >= size else 0
            guess = left + up - corner
            by_left, by_up, by_corner = abs(guess - left), abs(guess - up), abs(guess - corner)
            if by_left <= by_up and by_left <= by_corner:
                best = left
            else:
                best = up if by_up <= by_corner else corner
            row[i] = (row[i] + best) & 255
    return row


def colours(data):
    """How many pixels each colour of the picture has."""
    _, _, size, rows = decode(data)
    counts = {}
    for row in rows:
        for i in range(0, len(row), size):
            colour = bytes(row[i : i + 3])
            counts[colour] = counts.get(colour, 0) + 1
    return counts
