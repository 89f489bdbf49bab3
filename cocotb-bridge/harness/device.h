// Device: the Verilated unit with its clock, reset and waves (spec: cycle.number).
//
// Cycle t fills the simulated time from (RESET_CYCLES + t) * period to (RESET_CYCLES + t + 1) * period:
//
//   clk      ____|~~~~|____|~~~~|____     rising edges at multiples of the period, the one at the end closes the cycle
//   inputs   =====X=========X========     change with the falling edge, in the middle of the cycle
//   outputs  ====X=========X=========     registers: change with the rising edge
#ifndef METAROCE_DEVICE_H
#define METAROCE_DEVICE_H

#include "verilated.h"
#include "wave.h"

#include <memory>

namespace metaroce {

inline constexpr std::uint64_t RESET_CYCLES = 16;

template <class Ports> class Device {
public:
  using Model = typename Ports::Model;

  // Registers and memories start as 0, or random from a seed. Verilator takes seed 0 for "pick one", hence the mapping.
  Device(std::uint64_t period_ps, bool initial_zero, std::uint64_t seed) : period_(period_ps) {
    context_.randReset(initial_zero ? 0 : 2);
    context_.randSeed(static_cast<int>(seed % 2147483646u) + 1);
    context_.fatalOnError(false); // $stop and failed assertions end the run with a frame, not with abort()
    context_.traceEverOn(TRACE_VARIANT[0] != 'n');
    model_ = std::make_unique<Model>(&context_, "TOP");
    wave_.attach(*model_);
  }
  ~Device() {
    wave_.close();
    model_->final();
  }

  Model &model() { return *model_; }
  int time_unit() const { return context_.timeprecision(); }
  bool finished() const { return context_.gotFinish(); }
  void waves(const std::string &file, std::uint64_t from, std::uint64_t to) { wave_.request(file, from, to); }
  void close_waves() { wave_.close(); }

  // reset brings the unit to the start of cycle 0: rst has been sampled high at RESET_CYCLES edges, and is low now.
  void reset() {
    scale_ = units_per_ps();
    Ports::reset(*model_, true);
    for (unsigned port = 0; port < Ports::PORT_COUNT; ++port) {
      Ports::set_ready(*model_, port, false);
      Ports::drive(*model_, port, false, nullptr);
    }
    const bool dump = wave_.wants(0); // a dump from cycle 0 on shows the reset too, so that it is complete in itself
    for (std::uint64_t i = 0; i < RESET_CYCLES; ++i) {
      edge(false, i, dump);
      edge(true, i + 1, dump);
    }
    Ports::reset(*model_, false);
  }

  // settle applies the inputs of cycle t; close ends the cycle with the rising edge.
  void settle(std::uint64_t t) { edge(false, RESET_CYCLES + t, wave_.wants(t)); }
  void close(std::uint64_t t) { edge(true, RESET_CYCLES + t + 1, wave_.wants(t)); }

private:
  // edge sets the clock in the middle (low) or at the end (high) of a period and evaluates.
  void edge(bool high, std::uint64_t cycle, bool dump) {
    context_.time((high ? cycle * period_ : cycle * period_ + period_ / 2) / scale_);
    Ports::clock(*model_, high);
    model_->eval();
    if (dump)
      wave_.dump(context_.time());
  }

  // units_per_ps is how many ps the simulator's time unit has; units below 1 ps are not used by this harness.
  std::uint64_t units_per_ps() const {
    std::uint64_t ps = 1;
    for (int unit = -12; unit < time_unit(); ++unit)
      ps *= 10;
    if (time_unit() < -12 || (period_ / 2) % ps != 0)
      throw Failure("clock period " + std::to_string(period_) + " ps does not fit the device's time unit 10^" +
                    std::to_string(time_unit()) + " s");
    return ps;
  }

  VerilatedContext context_;
  std::unique_ptr<Model> model_;
  Wave wave_;
  std::uint64_t period_;
  std::uint64_t scale_ = 1;
};

} // namespace metaroce

#endif
