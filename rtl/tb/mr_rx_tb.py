#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges mr_rx by order: writes configuration and frames, runs mr_rx_tb under Icarus, and compares what comes out with
the rules rx.*, sack.* and rob.* carried out one frame at a time (spec: gen/spec/rules.yaml).

Usage: mr_rx_tb.py [--frames N] [--seed S]. Run anywhere; exits 1 and says what differs if anything does.
Cycle numbers are not judged here, but a run at full speed must take one beat a clock where nothing is refused.
"""
import argparse
import random
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

RTL = Path(__file__).resolve().parent.parent
CONNECTIONS, PATHS, STREAMS, DEPTH = 4, 4, 2, 16  # configuration small
UDP_PORT, MTU, MAX_BEATS, WINDOW, ACK_EVERY = 49200, 4096, 66, 256, 2
WRITE, WRITE_IMM, SEND, SEND_IMM = 1, 2, 3, 4
ACK_REQUEST, TAIL = 4, 16
SIZES = [0, 1, 15, 16, 31, 32, 63, 64, 65, 4095, 4096]
COUNTERS = ("frames bad_frame oversize not_ours length_error checksum_error crc_error malformed unknown placed repeated "
            "beyond refused acks rob_stale rob_inconsistent cfg_ignored").split()
PLACED, REPEATED, BEYOND, REFUSED, UNKNOWN, OPENED = range(6)
NEW_IN_ORDER, NEW_OUT_OF_ORDER, DUPLICATE, OLD, BEYOND_CLASS, CLOSED, OPENED_CLASS = range(7)


# ---------------------------------------------------------------- frames
def one_sum(header: bytes) -> int:
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def frame(p: dict) -> bytes:
    """A DATA frame; p overrides every field that a check looks at."""
    g = p.get
    base = struct.pack("!BBHIII", g("version", 1) << 4 | g("type", 1), g("flags", 0), p["path"] << 4 | g("epoch", 0),
                       p["connection"] << 8 | g("opcode", WRITE), p["psn"], g("stamp", 0))
    data = struct.pack("!HHIIIQII", p["stream"], g("payload_length", len(p["payload"])), p["message"], p["message_length"],
                       p["offset"], g("address", 0), g("key", 0), g("immediate", 0))
    datagram = base + data + p["payload"]
    crc = zlib.crc32(datagram) ^ g("crc_fault", 0)
    datagram += struct.pack("<I", crc)
    datagram = g("datagram", datagram)
    udp = struct.pack("!HHHH", p["port"], g("udp_port", UDP_PORT), g("udp_length", len(datagram) + 8), 0x1234) + datagram
    if p["ipv6"]:
        ip = struct.pack("!IHBB", g("ip_version", 6) << 28 | 10 << 22 | p["ecn"] << 20 | 0x12345,
                         g("ip_length", len(udp)), g("protocol", 17), 63) + p["ip_source"] + p["ip_destination"]
    else:
        ip = struct.pack("!BBHHHBBH4s4s", g("ip_version", 4) << 4 | g("header_words", 5), 10 << 2 | p["ecn"],
                         g("ip_length", len(udp) + 20), 7, g("fragment", 0x4000), 63, g("protocol", 17), 0,
                         p["ip_source"], p["ip_destination"])
        checksum = (~one_sum(ip) & 0xFFFF) ^ g("checksum_fault", 0)
        ip = ip[:10] + struct.pack("!H", checksum) + ip[12:]
    ethertype = g("ethertype", 0x86DD if p["ipv6"] else 0x0800)
    tag = struct.pack("!HH", 0x8100, p["tag"]) if p["tag"] is not None else b""
    return p["mac_destination"] + p["mac_source"] + tag + struct.pack("!H", ethertype) + ip + udp + g("trailing", b"")


def verdict(bytes_: bytes, user: bool) -> str:
    """The first check that fails, or "" (rule rx.check)."""
    if user:
        return "bad_frame"
    if len(bytes_) > 64 * MAX_BEATS:
        return "oversize"
    length, b = len(bytes_), bytes_ + bytes(256)
    link, ethertype = 14, b[12:14]
    if ethertype == b"\x81\x00":
        link, ethertype = 18, b[16:18]
    if ethertype not in (b"\x08\x00", b"\x86\xdd"):
        return "not_ours"
    six = ethertype == b"\x86\xdd"
    ip = b[link:]
    if six:
        if ip[0] >> 4 != 6 or ip[6] != 17:
            return "not_ours"
    elif ip[0] != 0x45 or ip[6] & 0x20 or (ip[6] & 0x1F) or ip[7] or ip[9] != 17:
        return "not_ours"
    u = link + (40 if six else 20) + 8
    _, port, udp_length, _ = struct.unpack("!HHHH", b[u - 8:u])
    if port != UDP_PORT:
        return "not_ours"
    ip_length = struct.unpack("!H", ip[4:6] if six else ip[2:4])[0]
    if ip_length != length - link - (40 if six else 0) or udp_length != length - u + 8:
        return "length_error"
    if not six and one_sum(ip[:20]) != 0xFFFF:
        return "checksum_error"
    payload = bytes_[u:]
    if len(payload) < 4 or struct.unpack("<I", payload[-4:])[0] != zlib.crc32(payload[:-4]):
        return "crc_error"
    base, data = b[u:u + 16], b[u + 16:u + 48]
    if base[0] != 0x11 or base[7] not in (1, 2, 3, 4):
        return "malformed"
    size, = struct.unpack("!H", data[2:4])
    message_length, offset = struct.unpack("!II", data[8:16])
    if size + 52 != udp_length - 8 or size > MTU or offset + size > message_length:
        return "malformed"
    return ""


# ---------------------------------------------------------------- the rules, one frame at a time
class Sack:
    def __init__(self, psn: int):
        self.base, self.next, self.seen = psn, psn, set()
        self.received = self.ce_marked = self.pending = self.last_ce = 0

    def packet(self, psn: int, ce: int, flags: int, refused: bool):
        hole = self.next != self.base
        d = (psn - self.base) % 2**32
        if d >= 2**31:
            kind = OLD
        elif d >= WINDOW:
            kind = BEYOND_CLASS
        elif psn in self.seen:
            kind = DUPLICATE
        else:
            kind = NEW_OUT_OF_ORDER if d else NEW_IN_ORDER
        self.received += 1
        self.ce_marked += ce
        if kind <= NEW_OUT_OF_ORDER and not refused:
            self.seen.add(psn)
            if d + 1 > (self.next - self.base) % 2**32:
                self.next = (psn + 1) % 2**32
            while self.base in self.seen:
                self.seen.remove(self.base)
                self.base = (self.base + 1) % 2**32
        ack = (kind != NEW_IN_ORDER or refused or hole or self.next != self.base or ce != self.last_ce
               or flags & (ACK_REQUEST | TAIL) or self.pending + 1 >= ACK_EVERY)
        self.pending = 0 if ack else self.pending + 1
        self.last_ce = ce
        return kind, bool(ack)

    def vector(self) -> int:
        return sum(1 << ((psn - self.base) % 2**32) for psn in self.seen)


class Stream:
    def __init__(self, message: int):
        self.head, self.entries = message, {}


class Rules:
    def __init__(self):
        self.connections, self.paths, self.streams = {}, {}, {}
        self.out = {"place": [], "payload": [], "cqe": [], "ack": [], "dbg": []}
        self.count = dict.fromkeys(COUNTERS, 0)

    def configure(self, op, connection, path, stream, sequence, peer, hint, hint_sequence, credit):
        known = connection < CONNECTIONS
        if op == 0 and known:
            self.connections[connection] = [peer, hint, hint_sequence, credit]
        elif op == 1 and known and path < PATHS:
            self.paths[connection, path] = Sack(sequence)
            self.out["dbg"].append((connection, path, sequence, 0, 0, OPENED, 0, OPENED_CLASS))
        elif op == 2 and known and stream < STREAMS:
            self.streams[connection, stream] = Stream(sequence)
        elif op == 3 and connection in self.connections:
            self.connections[connection][1:] = [hint, hint_sequence, credit]
        else:
            self.count["cfg_ignored"] += 1

    def frame(self, bytes_: bytes, user: bool, p: dict):
        self.count["frames"] += 1
        why = verdict(bytes_, user)
        if why:
            self.count[why] += 1
            return
        key = p["connection"], p["path"]
        stream = self.streams.get((p["connection"], p["stream"]))
        d = (p["message"] - stream.head) % 2**32 if stream else 0
        reason = 2 if stream is None else 1 if DEPTH <= d < 2**31 else 0
        sack = self.paths.get(key)
        opcode = p.get("opcode", WRITE)
        if p["connection"] not in self.connections or sack is None:
            outcome, kind, ack = UNKNOWN, CLOSED, False
        else:
            kind, ack = sack.packet(p["psn"], int(p["ecn"] == 3), p.get("flags", 0), reason != 0)
            outcome = {DUPLICATE: REPEATED, OLD: REPEATED, BEYOND_CLASS: BEYOND}.get(kind, REFUSED if reason else PLACED)
        self.count[("placed", "repeated", "beyond", "refused", "unknown")[outcome]] += 1
        self.out["dbg"].append((*key, p["psn"], p["stream"], p["message"], outcome, reason if outcome == REFUSED else 0, kind))
        if ack:
            self.count["acks"] += 1
            flags = {BEYOND: 1, REPEATED: 2, REFUSED: 4 | reason << 8}.get(outcome, 0)
            self.out["ack"].append(self.ack(p, sack, flags))
        if outcome == PLACED:
            self.out["place"].append((*key, p["psn"], p["stream"], opcode, p["message"], p["offset"], len(p["payload"]),
                                      p.get("address", 0), p.get("key", 0), p.get("immediate", 0)))
            if p["payload"]:
                self.out["payload"].append(p["payload"])
            self.reorder(p, stream, opcode)

    def reorder(self, p: dict, stream: Stream, opcode: int):
        size, length = len(p["payload"]), p["message_length"]
        entry = stream.entries.get(p["message"])
        if (p["message"] - stream.head) % 2**32 >= 2**31 or (entry and entry["complete"]):
            self.count["rob_stale"] += 1
            return
        if entry and (entry["length"] != length or entry["opcode"] != opcode) or (entry["bytes"] if entry else 0) + size > length:
            self.count["rob_inconsistent"] += 1
            return
        if not entry:
            entry = {"length": length, "opcode": opcode, "bytes": 0, "ordinal": p.get("key", 0) if opcode >= SEND else 0,
                     "immediate": p.get("immediate", 0)}
            stream.entries[p["message"]] = entry
        entry["bytes"] += size
        entry["complete"] = entry["bytes"] == length
        while stream.entries.get(stream.head, {}).get("complete"):
            e = stream.entries.pop(stream.head)
            self.out["cqe"].append((p["connection"], p["stream"], stream.head, e["length"], e["opcode"], e["ordinal"],
                                    e["immediate"]))
            stream.head = (stream.head + 1) % 2**32

    def ack(self, p: dict, sack: Sack, flags: int) -> bytes:
        """The ACK frame, hold time and CRC left 0."""
        peer, hint, hint_sequence, credit = self.connections[p["connection"]]
        message = struct.pack("!BBHIII", 0x12, 0, p["path"] << 4 | p.get("epoch", 0), peer << 8, sack.base, p.get("stamp", 0))
        message += struct.pack("!IHHHHIIHH", p["psn"], 0, 0xFFFF, flags, credit, sack.received, sack.ce_marked, hint, hint_sequence)
        message += sack.vector().to_bytes(32, "big")
        udp = struct.pack("!HHHH", p["port"], UDP_PORT, len(message) + 12, 0) + message + bytes(4)
        if p["ipv6"]:
            ip = struct.pack("!IHBB", 6 << 28 | 48 << 22, len(udp), 17, 64) + p["ip_destination"] + p["ip_source"]
        else:
            ip = struct.pack("!BBHHHBBH4s4s", 0x45, 48 << 2, len(udp) + 20, 0, 0x4000, 64, 17, 0, p["ip_destination"],
                             p["ip_source"])
            ip = ip[:10] + struct.pack("!H", ~one_sum(ip) & 0xFFFF) + ip[12:]
        tag = struct.pack("!HH", 0x8100, p["tag"]) if p["tag"] is not None else b""
        return p["mac_source"] + p["mac_destination"] + tag + (b"\x86\xdd" if p["ipv6"] else b"\x08\x00") + ip + udp


# ---------------------------------------------------------------- stimulus
class Sender:
    """Sprays messages of open streams over open paths, with losses, repeats, refusals and faults."""

    def __init__(self, r: random.Random):
        self.r = r
        self.psn, self.message = {}, {}
        self.cfg, self.unsent, self.faults = [], [], 0

    def open(self):
        r = self.r
        # connection 3 stays closed; so do path 3 and stream 1 of connection 2
        for c in range(3):
            self.cfg.append((0, c, 0, 0, 0, r.getrandbits(24), r.getrandbits(16), r.getrandbits(16), r.getrandbits(16)))
            for path in range(PATHS):
                if (c, path) != (2, 3):
                    self.psn[c, path] = r.choice([0, 2**32 - 40, r.getrandbits(32)])
                    self.cfg.append((1, c, path, 0, self.psn[c, path], 0, 0, 0, 0))
            for stream in range(STREAMS):
                if (c, stream) != (2, 1):
                    self.message[c, stream] = r.choice([0, 2**32 - 9, r.getrandbits(32)])
                    self.cfg.append((2, c, 0, stream, self.message[c, stream], 0, 0, 0, 0))
        self.cfg.append((3, 1, 0, 0, 0, 99, 0x1234, 77, 55))
        for op, c, path, stream in ((0, 4, 0, 0), (1, 4, 0, 0), (1, 0, 4, 0), (2, 0, 0, 2), (2, 9, 0, 0), (3, 3, 0, 0), (3, 7, 0, 0)):
            self.cfg.append((op, c, path, stream, 5, 1, 2, 3, 4))

    def base(self) -> dict:
        r = self.r
        ipv6 = r.random() < 0.5
        size = 16 if ipv6 else 4
        return dict(ipv6=ipv6, tag=r.choice([None, r.getrandbits(16)]), mac_destination=r.randbytes(6), mac_source=r.randbytes(6),
                    ip_source=r.randbytes(size), ip_destination=r.randbytes(size), port=r.getrandbits(16),
                    ecn=r.choice([2, 2, 2, 3, 0]), epoch=r.getrandbits(4), stamp=r.getrandbits(32),
                    flags=r.choice([0, 0, 0, ACK_REQUEST, TAIL, 1, 2, 0xFF & ~(ACK_REQUEST | TAIL)]))

    def message_packets(self, c: int, stream: int):
        """Appends the packets of the stream's next message to the unsent ones."""
        r = self.r
        message = self.message[c, stream]
        self.message[c, stream] = (message + 1) % 2**32
        parts = [self.size() for _ in range(r.choice([1, 1, 1, 2, 3]))]
        common = dict(connection=c, stream=stream, message=message, message_length=sum(parts), opcode=r.choice([1, 2, 3, 4]),
                      key=r.getrandbits(32), immediate=r.getrandbits(32))
        offset = 0
        for size in parts:
            self.unsent.append(dict(common, offset=offset, payload=r.randbytes(size), address=r.getrandbits(64)))
            offset += size

    def size(self) -> int:
        r = self.r
        return r.choice(SIZES[:9]) if r.random() < 0.85 else r.choice(SIZES + [r.randrange(MTU + 1)])

    def packet(self) -> dict:
        r = self.r
        if len(self.unsent) < 6:
            self.message_packets(*r.choice(sorted(self.message)))
        p = dict(self.base(), **self.unsent.pop(r.randrange(len(self.unsent)) if r.random() < 0.3 else 0))
        path = r.choice([path for c, path in sorted(self.psn) if c == p["connection"]])
        p["path"], p["psn"] = path, self.psn[p["connection"], path]
        self.psn[p["connection"], path] = (p["psn"] + 1) % 2**32
        return p

    def faulty(self, p: dict) -> dict:
        r = self.r
        faults = [
            {"crc_fault": 1 << r.randrange(32)}, {"version": 2}, {"type": 2}, {"opcode": 5}, {"opcode": 0},
            {"payload_length": len(p["payload"]) ^ 1}, {"message_length": 0, "offset": 1}, {"offset": 2**32 - 1},
            {"udp_port": 4791}, {"udp_length": 60}, {"ip_length": 100}, {"ip_version": 5}, {"protocol": 6}, {"trailing": b"\0"},
            {"ethertype": 0x8100}, {"ethertype": 0x0806}, {"fragment": 0x2000}, {"fragment": 1}, {"header_words": 6},
            {"checksum_fault": 0x100}, {"datagram": b""}, {"datagram": r.randbytes(r.randrange(12))}, {"datagram": bytes(4)},
            {"datagram": bytes(3)}, {"payload": bytes(4097), "message_length": 4097, "offset": 0}, {"user": True},
            {"payload": bytes(4160 + r.randrange(6000)), "message_length": 2**31, "offset": 0}, {"cut": r.randrange(1, 130)},
        ]
        self.faults += 1
        return dict(p, **faults[self.faults % len(faults)])

    def next(self) -> dict:
        r = self.r
        p, dice = self.packet(), r.random()
        if dice < 0.55:
            return p
        # what goes wrong is sent again, or its stream would stand still
        again = ("connection", "stream", "message", "message_length", "opcode", "key", "immediate", "offset", "payload", "address")
        self.unsent.insert(0, {name: p[name] for name in again})
        if dice < 0.65:
            p["psn"] = (p["psn"] - r.choice([1, 2, 3, 200, 300])) % 2**32
        elif dice < 0.70:
            p["psn"] = (p["psn"] + r.choice([1, 2, 255, 256, 300, 2**30])) % 2**32
        elif dice < 0.74:
            p["message"] = (p["message"] + r.choice([DEPTH, 2 * DEPTH, 2**30])) % 2**32
        elif dice < 0.78:
            p.update(r.choice([{"connection": 3}, {"connection": 2, "path": 3}, {"path": 4}, {"connection": 70000}, {"stream": 2},
                               {"connection": 2, "stream": 1}]))
        elif dice < 0.80:
            p["opcode"] = p["opcode"] % 4 + 1
        elif dice < 0.82:
            p["message"] = (p["message"] - 1000) % 2**32
        else:
            p = self.faulty(p)
        return p


def beats(bytes_: bytes, user: bool) -> list:
    out = []
    for at in range(0, len(bytes_), 64):
        part = bytes_[at:at + 64]
        last = at + 64 >= len(bytes_)
        out.append((int(user and last) << 577) | int(last) << 576 | ((1 << len(part)) - 1) << 512 | int.from_bytes(part, "little"))
    return out


# ---------------------------------------------------------------- run and compare
def collect(lines: list) -> dict:
    widths = {"place": (24, 12, 32, 16, 8, 32, 32, 16, 64, 32, 32), "cqe": (24, 16, 32, 32, 8, 32, 32),
              "dbg": (24, 12, 32, 16, 32, 3, 8, 3)}
    out = {"place": [], "payload": [], "cqe": [], "ack": [], "dbg": [], "count": [], "end": None}
    partial = {"payload": b"", "axis": b""}
    for line in lines:
        kind, *fields = line.split()
        if kind in widths:
            value, values = int(fields[0], 16), []
            for bits in reversed(widths[kind]):
                values.append(value & ((1 << bits) - 1))
                value >>= bits
            out[kind].append(tuple(reversed(values)))
        elif kind in partial:
            data, keep = int(fields[0], 16).to_bytes(64, "little"), int(fields[1], 16)
            size = keep.bit_length()
            assert keep == (1 << size) - 1 and size and (size == 64 or fields[2] == "1"), f"keep {fields[1]}"
            assert not any(data[size:]), f"bytes beyond the end: {line}"
            partial[kind] += data[:size]
            if fields[2] == "1":
                out["ack" if kind == "axis" else kind].append(partial[kind])
                partial[kind] = b""
        elif kind == "count":
            out["count"].append(int(fields[0]))
        elif kind == "end":
            out["end"] = [int(f) for f in fields]
        else:
            sys.exit(f"unit: {line}")
    assert partial == {"payload": b"", "axis": b""}, "a packet without an end"
    return out


def without_hold(ack: bytes) -> bytes:
    """Zeroes hold time and CRC of an ACK frame, after checking them."""
    u = len(ack) - 76
    assert struct.unpack("<I", ack[-4:])[0] == zlib.crc32(ack[u:-4]), "CRC of an ACK"
    hold, = struct.unpack("!H", ack[u + 20:u + 22])
    assert hold >= 14, f"hold {hold} is below the SACK unit's latency"
    return ack[:u + 20] + bytes(2) + ack[u + 22:-4] + bytes(4)


def run(work: Path, frames: int, seed: int, offer: int, take: int, only_good: bool) -> dict:
    r = random.Random(seed)
    sender, rules = Sender(r), Rules()
    sender.open()
    for cfg in sender.cfg:
        rules.configure(*cfg)
    stimulus = []
    for n in range(frames):
        p = dict(sender.base(), opcode=1 + n % 4, key=n) if only_good else sender.next()
        if only_good:
            # every size in every kind of frame; an ACK for every second one, so that ACKs do not slow it down
            p["ipv6"], p["tag"], p["flags"], p["ecn"] = bool(n & 1), (n if n & 2 else None), 0, 2
            size = 16 if p["ipv6"] else 4
            p.update(payload=r.randbytes(SIZES[n // 4 % len(SIZES)]), ip_source=r.randbytes(size), ip_destination=r.randbytes(size))
            # two streams: a ring of 16 messages is shorter than the way to its floor and back
            c = n % 2
            p.update(message_length=len(p["payload"]), offset=0, message=sender.message[c, 0], connection=c, stream=0, path=0,
                     psn=sender.psn[c, 0])
            sender.message[c, 0] = (sender.message[c, 0] + 1) % 2**32
            sender.psn[c, 0] = (sender.psn[c, 0] + 1) % 2**32
        bytes_ = frame(p)
        if "cut" in p:
            bytes_ = bytes_[:p["cut"]]
        user = bool(p.get("user"))
        rules.frame(bytes_, user, p)
        stimulus += beats(bytes_, user)
    widths = (2, 24, 12, 16, 32, 24, 16, 16, 16)
    words = []
    for cfg in sender.cfg:
        word = 0
        for value, bits in zip(cfg, widths):
            word = word << bits | value
        words.append(f"{word:040x}")
    (work / "cfg.mem").write_text("\n".join(words) + "\n")
    (work / "beats.mem").write_text("\n".join(f"{b:0145x}" for b in stimulus) + "\n")
    command = ["vvp", str(work / "tb.vvp"), f"+beats={work}/beats.mem", f"+cfg={work}/cfg.mem", f"+beat_count={len(stimulus)}",
               f"+cfg_count={len(words)}", f"+offer={offer}", f"+take={take}", f"+seed={seed}"]
    lines = subprocess.run(command, cwd=RTL / "generated", check=True, capture_output=True, text=True).stdout.splitlines()
    got = collect([line for line in lines if "$finish" not in line])
    got["ack"] = [without_hold(a) for a in got["ack"]]
    what = f"seed {seed} offer {offer} take {take}"
    for port, want in rules.out.items():
        for n, (a, b) in enumerate(zip(got[port], want)):
            if a != b:
                sys.exit(f"FAIL {what}: {port} {n}: got {a.hex() if isinstance(a, bytes) else a}, "
                         f"want {b.hex() if isinstance(b, bytes) else b}")
        if len(got[port]) != len(want):
            sys.exit(f"FAIL {what}: {port}: got {len(got[port])}, want {len(want)}")
    for name, a in zip(COUNTERS, got["count"]):
        if a != rules.count[name]:
            sys.exit(f"FAIL {what}: counter {name}: got {a}, want {rules.count[name]}")
    if not got["end"] or got["end"][1] != len(stimulus):
        sys.exit(f"FAIL {what}: wedged: {got['end']} of {len(stimulus)} beats")
    taken = got["end"][3] - got["end"][2] + 1
    print(f"ok {what}: {frames} frames, {len(stimulus)} beats taken in {taken} cycles; "
          + " ".join(f"{k} {v}" for k, v in rules.count.items() if v))
    if only_good and taken != len(stimulus):
        sys.exit(f"FAIL {what}: good frames at full speed must take one beat a clock")
    return rules.count


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        subprocess.run(["iverilog", "-g2005", "-DMR_CHECK", "-s", "mr_rx_tb", "-I.", "-Ismall", "-y..", "-o", work / "tb.vvp",
                        "../tb/mr_rx_tb.v"], cwd=RTL / "generated", check=True)
        run(work, 8 * len(SIZES), args.seed, 256, 256, True)
        seen = dict.fromkeys(COUNTERS, 0)
        for n, (offer, take) in enumerate(((256, 256), (128, 256), (256, 60), (256, 10))):
            for counter, value in run(work, args.frames, args.seed + n, offer, take, False).items():
                seen[counter] += value
    missing = [counter for counter, value in seen.items() if value == 0]
    if missing:
        sys.exit(f"FAIL: never seen: {missing}")
    print("PASS mr_rx_tb")


if __name__ == "__main__":
    main()
