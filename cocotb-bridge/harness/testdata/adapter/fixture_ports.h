// Adapter of the fixture, with the interface of the generated ones, written by hand so that the bridge's tests do not
// depend on any unit of the spec.
#ifndef METAROCE_FIXTURE_PORTS_H
#define METAROCE_FIXTURE_PORTS_H

#include "Vfixture.h"

#include <cstdint>

namespace metaroce {

inline constexpr std::uint64_t spec_hash64 = UINT64_C(0x0123456789abcdef);

enum class port_style : std::uint8_t { stream, axis, event };

struct port_layout {
  const char *name;
  bool input;
  port_style style;
  unsigned bytes;
};

struct unit_layout {
  const char *name, *module;
  const port_layout *ports;
  unsigned port_count;
  const char *const *counters;
  unsigned counter_count;
  const char *const *tables;
  unsigned table_count;
};

namespace fixture {
inline constexpr port_layout ports[] = {
    {"s_axis", true, port_style::axis, 9},
    {"m_axis", false, port_style::axis, 9},
    {"dbg_seen", false, port_style::event, 15},
};
inline constexpr const char *counters[] = {"taken", "given"};
inline constexpr const char *tables[] = {"squares"};
inline constexpr unit_layout layout{"fixture", "fixture", ports, 3, counters, 2, tables, 1};
} // namespace fixture

struct UnitPorts {
  using Model = Vfixture;

  static constexpr const unit_layout &LAYOUT = fixture::layout;
  static constexpr unsigned PORT_COUNT = 3;
  static constexpr unsigned COUNTER_COUNT = 2;
  static constexpr unsigned IDENTITY_COUNT = 2;

  static constexpr bool is_input(unsigned port) { return port < PORT_COUNT && LAYOUT.ports[port].input; }
  static constexpr bool is_event(unsigned port) {
    return port < PORT_COUNT && LAYOUT.ports[port].style == port_style::event;
  }
  static constexpr unsigned beat_bytes(unsigned port) { return port < PORT_COUNT ? LAYOUT.ports[port].bytes : 0; }

  static void clock(Model &m, bool level) { m.clk = level; }
  static void reset(Model &m, bool level) { m.rst = level; }

  static bool valid(const Model &m, unsigned port) {
    const bool levels[] = {m.s_axis_tvalid != 0, m.m_axis_tvalid != 0, m.dbg_seen_valid != 0};
    return levels[port];
  }
  static bool ready(const Model &m, unsigned port) {
    const bool levels[] = {m.s_axis_tready != 0, m.m_axis_tready != 0, true};
    return levels[port];
  }
  static void set_ready(Model &m, unsigned port, bool level) {
    if (port == 1)
      m.m_axis_tready = level;
  }
  static bool last(const Model &m, unsigned port) { return port == 1 ? m.m_axis_tlast != 0 : true; }

  static void drive(Model &m, unsigned port, bool offer, const std::uint8_t *beat) {
    if (port != 0)
      return;
    m.s_axis_tvalid = offer;
    m.s_axis_tdata = offer ? number(beat, 8) : 0;
    m.s_axis_tlast = offer && (beat[8] & 1) != 0;
  }

  static void pack(const Model &m, unsigned port, std::uint8_t *beat) {
    if (port == 1) {
      bytes(beat, m.m_axis_tdata, 8);
      beat[8] = m.m_axis_tlast;
    } else if (port == 2) {
      bytes(beat, m.dbg_seen_tag, 2);
      for (unsigned i = 0; i < 4; ++i)
        bytes(beat + 2 + 4 * i, m.dbg_seen_wide[i], i < 3 ? 4 : 1);
    }
  }

  static std::uint32_t counter(const Model &m, unsigned index) { return index == 0 ? m.count_taken : m.count_given; }
  static std::uint64_t identity(const Model &m, unsigned index) {
    return index == 0 ? m.id_spec_hash : m.id_squares_hash;
  }

private:
  static std::uint64_t number(const std::uint8_t *p, unsigned n) {
    std::uint64_t v = 0;
    for (unsigned i = 0; i < n; ++i)
      v |= static_cast<std::uint64_t>(p[i]) << (8 * i);
    return v;
  }
  static void bytes(std::uint8_t *p, std::uint64_t v, unsigned n) {
    for (unsigned i = 0; i < n; ++i)
      p[i] = static_cast<std::uint8_t>(v >> (8 * i));
  }
};

} // namespace metaroce

#endif
