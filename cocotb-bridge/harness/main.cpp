// Harness: one Verilated unit behind the bridge. The unit is chosen when it is compiled:
//   METAROCE_UNIT_HEADER      adapter with struct metaroce::UnitPorts
//   METAROCE_CONFIG           name of the configuration
//   METAROCE_CLOCK_PERIOD_PS  clock period
// Exit codes: 0 the driver closed the connection · 1 failure (told on stderr and to the driver) · 128 + n signal n.
#include METAROCE_UNIT_HEADER

#include "bare.h"
#include "session.h"

#include <cstdio>

namespace {

using metaroce::UnitPorts;
constexpr std::uint64_t PERIOD_PS = METAROCE_CLOCK_PERIOD_PS;

// talk tells a failure to the driver before it ends the harness.
void talk(metaroce::Link link) {
  try {
    const metaroce::Identity identity = metaroce::identify<UnitPorts>(METAROCE_CONFIG, PERIOD_PS);
    metaroce::Session<UnitPorts>(link, identity).run();
  } catch (const metaroce::Failure &failure) {
    metaroce::FrameWriter w;
    w.begin(metaroce::Kind::ERROR);
    w.text(failure.what());
    w.end();
    link.send(w.bytes);
    link.finish();
    throw;
  }
}

int run(const std::string &mode, const std::string &argument) {
  if (mode == "--socket")
    talk(metaroce::Link::unix_socket(argument));
  else if (mode == "--tcp")
    talk(metaroce::Link::tcp(argument));
  else if (mode == "--bare")
    metaroce::run_bare<UnitPorts>(argument, PERIOD_PS);
  else
    return 2;
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  metaroce::catch_stop_signals();
  try {
    if (argc == 3 && run(argv[1], argv[2]) == 0)
      return 0;
    std::fprintf(stderr, "usage: harness --socket PATH | --tcp ADDRESS:PORT | --bare FILE\n");
    return 2;
  } catch (const metaroce::PeerGone &) {
    return 0;
  } catch (const metaroce::Stopped &) {
    return 128 + metaroce::stop_signal;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "harness: %s\n", e.what());
    return 1;
  }
}
