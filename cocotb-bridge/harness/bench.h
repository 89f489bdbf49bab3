// Bench: sources, sinks and the end of a run around a device (spec: bench.source, bench.sink, bench.end, bench.record).
// The golden engine has the same bench in Go; the two must agree cycle by cycle.
#ifndef METAROCE_BENCH_H
#define METAROCE_BENCH_H

#include "device.h"
#include "setup.h"
#include "source.h"

#include <array>
#include <utility>

namespace metaroce {

// each_port calls f with every port number as a constant, so that the adapter's switches fold away.
template <class F, std::size_t... Port> inline void each_port(F &&f, std::index_sequence<Port...>) {
  (f(std::integral_constant<unsigned, Port>{}), ...);
}

template <class Ports, class Recorder> class Bench {
public:
  enum class State { RUNNING, QUIET, LIMIT };

  Bench(const Setup &setup, std::uint64_t period_ps, Recorder &recorder)
      : setup_(setup), device_(period_ps, setup.initial_zero, setup.initial_seed), recorder_(recorder) {
    device_.waves(setup.wave_file, setup.wave_from, setup.wave_to);
    for (unsigned port = 0; port < Ports::PORT_COUNT; ++port) {
      sources_[port].start(Ports::beat_bytes(port));
      sinks_[port].start(setup.sinks[port]);
    }
    device_.reset();
  }

  std::uint64_t cycle() const { return cycle_; }
  Device<Ports> &device() { return device_; }

  // push adds a beat to the source of an input port. It must not be late and not before the beat pushed last.
  void push(unsigned port, std::uint64_t earliest, const std::uint8_t *beat) {
    if (earliest < cycle_)
      throw Failure("stimulus of port " + std::to_string(port) + " for cycle " + std::to_string(earliest) +
                    " came when cycle " + std::to_string(cycle_) + " had been reached");
    if (earliest < sources_[port].newest())
      throw Failure("stimulus of port " + std::to_string(port) + " for cycle " + std::to_string(earliest) +
                    " came after that for cycle " + std::to_string(sources_[port].newest()));
    sources_[port].push(earliest, beat);
  }

  // state tells at the start of the cycle whether it is still run. final: no more beats will be pushed.
  State state(bool final) {
    const std::uint64_t q = setup_.quiet_cycles;
    if (final && cycle_ >= q && cycle_ - q >= setup_.first_ready && cycle_ - q >= quiet_since_ && announced(q))
      return State::QUIET;
    return cycle_ >= setup_.max_cycles ? State::LIMIT : State::RUNNING;
  }

  // step runs one cycle.
  void step() {
    auto &model = device_.model();
    each_port(
        [&](auto port) {
          if constexpr (Ports::is_input(port))
            offer(model, port);
          else if constexpr (!Ports::is_event(port))
            Ports::set_ready(model, port,
                             ready_[port] = sinks_[port].ready(cycle_, Ports::valid(model, port), Ports::last(model, port)));
        },
        numbers_);
    device_.settle(cycle_);
    each_port(
        [&](auto port) {
          if constexpr (Ports::is_input(port))
            accept(model, port);
          else if (Ports::valid(model, port) && (Ports::is_event(port) || ready_[port]))
            note(model, port);
        },
        numbers_);
    device_.close(cycle_++);
    if (device_.finished())
      throw Failure("the device stopped the simulation ($finish, $stop or a failed check) in cycle " +
                    std::to_string(cycle_ - 1));
  }

  // pending and waiting say what keeps the run from a good end, one bit a port: beats not accepted, outputs and events
  // not delivered.
  std::uint32_t pending() const {
    std::uint32_t mask = 0;
    for (unsigned port = 0; port < Ports::PORT_COUNT; ++port)
      mask |= static_cast<std::uint32_t>(!sources_[port].empty()) << port;
    return mask;
  }
  std::uint32_t waiting() {
    std::uint32_t mask = 0;
    for (unsigned port = 0; port < Ports::PORT_COUNT; ++port)
      if (!Ports::is_input(port))
        mask |= static_cast<std::uint32_t>(Ports::valid(device_.model(), port)) << port;
    return mask;
  }

private:
  using Model = typename Ports::Model;

  // announced tells whether every beat left was due at cycle - q or before.
  bool announced(std::uint64_t q) const {
    for (unsigned port = 0; port < Ports::PORT_COUNT; ++port)
      if (!sources_[port].empty() && sources_[port].newest() > cycle_ - q)
        return false;
    return true;
  }

  // offer drives the oldest beat that is due. The inputs are touched only when they change.
  template <class Port> void offer(Model &model, Port port) {
    Source &source = sources_[port];
    const bool due = source.due(cycle_);
    if (due != offered_[port] || (due && fresh_[port]))
      Ports::drive(model, port, due, due ? source.beat() : nullptr);
    offered_[port] = due;
    fresh_[port] = false;
  }

  template <class Port> void accept(Model &model, Port port) {
    if (!offered_[port] || !Ports::ready(model, port))
      return;
    sources_[port].pop();
    fresh_[port] = true;
    note(model, port);
  }

  template <class Port> void note(Model &model, Port port) {
    recorder_.template record<Ports>(cycle_, port, model);
    quiet_since_ = cycle_ + 1;
  }

  static constexpr std::make_index_sequence<Ports::PORT_COUNT> numbers_{};

  Setup setup_;
  Device<Ports> device_;
  Recorder &recorder_;
  std::array<Source, Ports::PORT_COUNT> sources_;
  std::array<Sink, Ports::PORT_COUNT> sinks_;
  std::array<bool, Ports::PORT_COUNT> offered_{}; // valid is high
  std::array<bool, Ports::PORT_COUNT> fresh_{};   // the beat on the port has been accepted
  std::array<bool, Ports::PORT_COUNT> ready_{};
  std::uint64_t cycle_ = 0;
  std::uint64_t quiet_since_ = 0; // first cycle after the last handshake or event
};

} // namespace metaroce

#endif
