// Sink of an output port: drives ready by a pattern (spec: bench.sink).
#ifndef METAROCE_SINK_H
#define METAROCE_SINK_H

#include "wire.h"

namespace metaroce {

struct Pattern {
  enum Kind : std::uint8_t { ALWAYS = 0, AFTER = 1, DUTY = 2, RANDOM = 3, STALL_LAST = 4 };
  std::uint8_t kind = ALWAYS;
  std::uint64_t a = 0, b = 0, seed = 0;

  static Pattern parse(Cursor &c) {
    Pattern p;
    p.kind = c.u8("pattern");
    p.a = c.u64("pattern A");
    p.b = c.u64("pattern B");
    p.seed = c.u64("pattern seed");
    if (p.kind > STALL_LAST)
      c.fail("pattern " + std::to_string(p.kind) + ": unknown");
    if (p.kind == DUTY && (p.a + p.b == 0 || p.a + p.b < p.a))
      c.fail("duty of no cycle");
    if (p.kind == RANDOM && p.a > 256)
      c.fail("probability above 256/256");
    return p;
  }
};

class Sink {
public:
  void start(const Pattern &pattern) {
    pattern_ = pattern;
    stalled_ = 0;
  }

  // ready decides for cycle t; valid and last are the port's outputs in that cycle.
  bool ready(std::uint64_t t, bool valid, bool last) {
    switch (pattern_.kind) {
    case Pattern::AFTER:
      return t >= pattern_.a;
    case Pattern::DUTY:
      return t % (pattern_.a + pattern_.b) < pattern_.a;
    case Pattern::RANDOM:
      return (mix(pattern_.seed + t * UINT64_C(0x9E3779B97F4A7C15)) >> 56) < pattern_.a;
    case Pattern::STALL_LAST:
      return stall(valid && last);
    default:
      return true;
    }
  }

private:
  static std::uint64_t mix(std::uint64_t z) {
    z ^= z >> 30;
    z *= UINT64_C(0xBF58476D1CE4E5B9);
    z ^= z >> 27;
    z *= UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
  }

  // stall holds ready low in the first A cycles of each last beat. A beat that meets ready is taken, so the next one
  // counts from 0.
  bool stall(bool last) {
    if (!last)
      return true;
    if (stalled_ < pattern_.a) {
      ++stalled_;
      return false;
    }
    stalled_ = 0;
    return true;
  }

  Pattern pattern_;
  std::uint64_t stalled_ = 0;
};

} // namespace metaroce

#endif
