// What the harness says of itself: the HELLO frame, from the adapter's layout and the device's own outputs.
#ifndef METAROCE_IDENTITY_H
#define METAROCE_IDENTITY_H

#include "device.h"
#include "link.h"

namespace metaroce {

struct Identity {
  const char *config;
  std::uint64_t period_ps;
  int time_unit;
  std::vector<std::uint64_t> hashes; // spec, then one a table
};

// identify runs a device through its reset and reads its identity outputs.
template <class Ports> Identity identify(const char *config, std::uint64_t period_ps) {
  Device<Ports> device(period_ps, true, 0);
  device.reset();
  device.settle(0);
  Identity id{config, period_ps, device.time_unit(), {}};
  for (unsigned i = 0; i < Ports::IDENTITY_COUNT; ++i)
    id.hashes.push_back(Ports::identity(device.model(), i));
  return id;
}

template <class Ports> void write_hello(FrameWriter &w, const Identity &id) {
  const auto &layout = Ports::LAYOUT;
  w.begin(Kind::HELLO);
  w.bytes.insert(w.bytes.end(), MAGIC, MAGIC + MAGIC_BYTES);
  w.u16(PROTOCOL_VERSION);
  w.u8(1); // harness
  w.u64(spec_hash64); // the spec from which the port layouts were generated
  w.text(layout.name);
  w.text(layout.module);
  w.text(id.config);
  w.u64(id.period_ps);
  w.u8(static_cast<std::uint8_t>(id.time_unit));
  w.u64(id.hashes.at(0));
  w.u8(static_cast<std::uint8_t>(layout.table_count));
  for (unsigned i = 0; i < layout.table_count; ++i) {
    w.text(layout.tables[i]);
    w.u64(id.hashes.at(i + 1));
  }
  w.u8(static_cast<std::uint8_t>(layout.port_count));
  for (unsigned i = 0; i < layout.port_count; ++i) {
    w.text(layout.ports[i].name);
    w.u8(layout.ports[i].input ? 0 : 1);
    w.u8(static_cast<std::uint8_t>(layout.ports[i].style));
    w.u16(static_cast<std::uint16_t>(layout.ports[i].bytes));
  }
  w.u8(static_cast<std::uint8_t>(layout.counter_count));
  for (unsigned i = 0; i < layout.counter_count; ++i)
    w.text(layout.counters[i]);
  w.end();
}

// check_hello compares the driver's HELLO with the own one. The two differ in the side only.
inline void check_hello(const Frame &theirs, const FrameWriter &own_frame) {
  constexpr std::size_t VERSION_AT = MAGIC_BYTES, SIDE_AT = VERSION_AT + 2;
  Cursor c = theirs.cursor("HELLO");
  if (theirs.kind != Kind::HELLO)
    c.fail("frame kind " + std::to_string(static_cast<unsigned>(theirs.kind)) + " where HELLO is due");
  if (std::memcmp(c.take(MAGIC_BYTES, "magic"), MAGIC, MAGIC_BYTES) != 0)
    c.fail("wrong magic: not a bridge peer");
  const unsigned version = c.u16("version");
  if (version != PROTOCOL_VERSION)
    throw Failure("protocol version: the harness speaks " + std::to_string(PROTOCOL_VERSION) + ", the driver " +
                  std::to_string(version));
  std::vector<std::uint8_t> own(own_frame.bytes.begin() + HEADER_BYTES, own_frame.bytes.end());
  own[SIDE_AT] = 0;
  if (own != theirs.payload)
    throw Failure("the driver's HELLO differs from the harness's: compare unit, configuration, clock, hashes and ports");
}

} // namespace metaroce

#endif
