// What a run needs besides its stimulus: the SETUP frame.
#ifndef METAROCE_SETUP_H
#define METAROCE_SETUP_H

#include "sink.h"
#include "wire.h"

namespace metaroce {

struct Setup {
  std::uint64_t quiet_cycles = 0; // spec: bench.end
  std::uint64_t max_cycles = 0;
  std::uint64_t first_ready = 0; // spec: cycle.reset
  bool initial_zero = true;      // registers and memories before reset: 0, or drawn from initial_seed
  std::uint64_t initial_seed = 0;
  std::vector<Pattern> sinks; // one a port
  std::string wave_file;      // empty: none
  std::uint64_t wave_from = 0, wave_to = 0;

  static Setup parse(Cursor &c, unsigned ports) {
    Setup s;
    s.quiet_cycles = c.u64("quiet cycles");
    s.max_cycles = c.u64("max cycles");
    s.first_ready = c.u64("first ready");
    s.initial_zero = c.flag("initial values");
    s.initial_seed = c.u64("initial seed");
    const unsigned sinks = c.u8("number of sinks");
    if (sinks != ports)
      c.fail(std::to_string(sinks) + " sinks, the unit has " + std::to_string(ports) + " ports");
    for (unsigned i = 0; i < sinks; ++i)
      s.sinks.push_back(Pattern::parse(c));
    s.wave_file = c.text("wave file");
    s.wave_from = c.u64("first wave cycle");
    s.wave_to = c.u64("end of waves");
    c.done();
    if (s.max_cycles == 0)
      c.fail("max cycles is 0");
    return s;
  }
};

} // namespace metaroce

#endif
