package python

// preamble is the types of the layouts.
const preamble = `"""Constants, enums and record layouts of the interim profile.

Headers are packed in network order; beats as the bridge carries them: fields in order, each in whole bytes, least
significant first.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class HeaderField:
    """A field of a header, offset bits from its first bit in transmission order."""

    name: str
    bits: int
    offset: int
    enum: str


@dataclass(frozen=True)
class Header:
    """A protocol header, its fields in transmission order."""

    name: str
    size: int
    fields: tuple[HeaderField, ...]


@dataclass(frozen=True)
class BeatField:
    """A field of a beat: size bytes at offset."""

    name: str
    bits: int
    offset: int
    size: int
    match: str
    enum: str


@dataclass(frozen=True)
class Port:
    """A port group of a unit. direction is the unit's own."""

    name: str
    direction: str
    style: str
    size: int
    keys: tuple[str, ...]
    fields: tuple[BeatField, ...]


@dataclass(frozen=True)
class Unit:
    """A block with the cycle contract. A port's number is its place."""

    name: str
    module: str
    ports: tuple[Port, ...]
    counters: tuple[str, ...]
    status: tuple[str, ...]
    tables: tuple[str, ...]

    def port(self, name: str) -> Port:
        """The port of that name; KeyError if there is none."""
        for port in self.ports:
            if port.name == name:
                return port
        raise KeyError(f"unit {self.name} has no port {name}")

`

// codec is the functions that the layouts drive.
const codec = `

def _checked(what: str, name: str, bits: int, values: Mapping[str, int]) -> int:
    value = int(values.get(name, 0))
    if value < 0 or value >> bits:
        raise ValueError(f"{what}: field {name} = {value} does not fit {bits} bits")
    return value


def _known(what: str, names: set[str], values: Mapping[str, int]) -> None:
    for name in values:
        if name not in names:
            raise KeyError(f"{what} has no field {name}")


def pack_header(header: Header, values: Mapping[str, int]) -> bytes:
    """The header's bytes. A field that is not named is 0."""
    what = f"header {header.name}"
    _known(what, {field.name for field in header.fields}, values)
    number = 0
    for field in header.fields:
        number = number << field.bits | _checked(what, field.name, field.bits, values)
    return number.to_bytes(header.size, "big")


def unpack_header(header: Header, data: bytes) -> dict[str, int]:
    """The fields of the header at the front of data."""
    if len(data) < header.size:
        raise ValueError(f"header {header.name}: {len(data)} bytes, want {header.size}")
    number = int.from_bytes(data[: header.size], "big")
    return {
        field.name: number >> (8 * header.size - field.offset - field.bits) & ((1 << field.bits) - 1)
        for field in header.fields
    }


def pack_beat(port: Port, values: Mapping[str, int]) -> bytes:
    """The beat's bytes. A field that is not named is 0."""
    what = f"beat of {port.name}"
    _known(what, {field.name for field in port.fields}, values)
    return b"".join(
        _checked(what, field.name, field.bits, values).to_bytes(field.size, "little") for field in port.fields
    )


def unpack_beat(port: Port, data: bytes) -> dict[str, int]:
    """The fields of a beat, which must have the exact length and no bits beyond a field's width."""
    if len(data) != port.size:
        raise ValueError(f"beat of {port.name}: {len(data)} bytes, want {port.size}")
    values = {}
    for field in port.fields:
        value = int.from_bytes(data[field.offset : field.offset + field.size], "little")
        if value >> field.bits:
            raise ValueError(f"beat of {port.name}: field {field.name} has bits beyond its {field.bits}")
        values[field.name] = value
    return values
`
