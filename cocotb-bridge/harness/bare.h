// Bare bench: the same device, sources and sinks without a socket and without records, as the yardstick for the bridge.
// Its input is a file with the frames that a driver would send: SETUP, STIMULUS..., ADVANCE.
#ifndef METAROCE_BARE_H
#define METAROCE_BARE_H

#include "bench.h"
#include "identity.h"
#include "link.h"
#include "recorder.h"
#include "session.h"

#include <cstdio>
#include <fstream>

namespace metaroce {

// next_frame cuts one frame off the file's bytes, or returns false at their end.
inline bool next_frame(const std::vector<char> &bytes, std::size_t &at, Frame &frame) {
  if (at == bytes.size())
    return false;
  Cursor c(reinterpret_cast<const std::uint8_t *>(bytes.data()) + at, bytes.size() - at, at, "file");
  frame.offset = at;
  const std::uint32_t length = c.u32("frame length");
  frame.kind = static_cast<Kind>(c.u8("frame kind"));
  const std::uint8_t *payload = c.take(length, "frame payload");
  frame.payload.assign(payload, payload + length);
  at += HEADER_BYTES + length;
  return true;
}

template <class Ports> void run_bare(const std::string &path, std::uint64_t period_ps) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Failure("cannot read " + path + ": " + std::strerror(errno));
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::size_t at = 0;
  Frame frame{};
  if (!next_frame(bytes, at, frame) || frame.kind != Kind::SETUP)
    throw Failure(path + ": does not begin with a SETUP frame");
  Cursor setup = frame.cursor("SETUP");
  CountRecorder recorder;
  Bench<Ports, CountRecorder> bench(Setup::parse(setup, Ports::PORT_COUNT), period_ps, recorder);
  while (next_frame(bytes, at, frame)) {
    if (frame.kind != Kind::STIMULUS)
      continue;
    Cursor c = frame.cursor("STIMULUS");
    for (std::uint32_t n = c.u32("number of beats"); n > 0; --n) {
      const unsigned port = c.u8("port");
      if (!Ports::is_input(port))
        c.fail("port " + std::to_string(port) + " is not an input");
      const std::uint64_t earliest = c.u64("earliest cycle");
      bench.push(port, earliest, c.take(Ports::beat_bytes(port), "beat"));
    }
  }
  std::uint64_t ns = 0;
  {
    Stopwatch watch(ns);
    while (bench.state(true) == Bench<Ports, CountRecorder>::State::RUNNING) {
      bench.step();
      if (bench.cycle() % WATCH_CYCLES == 0)
        throw_if_stopped();
    }
  }
  std::printf("{\"cycles\": %llu, \"records\": %llu, \"seconds\": %.9f, \"pending\": %u, \"waiting\": %u}\n",
              static_cast<unsigned long long>(bench.cycle()), static_cast<unsigned long long>(recorder.records),
              static_cast<double>(ns) * 1e-9, bench.pending(), bench.waiting());
}

} // namespace metaroce

#endif
