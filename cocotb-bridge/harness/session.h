// Session: the conversation with the driver, from HELLO to END.
#ifndef METAROCE_SESSION_H
#define METAROCE_SESSION_H

#include "bench.h"
#include "link.h"
#include "identity.h"
#include "recorder.h"

#include <chrono>
#include <optional>

namespace metaroce {

inline constexpr int HANDSHAKE_MS = 30000;           // a driver that connects answers at once
inline constexpr std::uint64_t PROGRESS_CYCLES = 16384; // a sign of life at least this often
inline constexpr std::uint64_t WATCH_CYCLES = 1024;     // look for signals and a lost driver this often

// Stopwatch adds the time of its scope to a sum in ns.
class Stopwatch {
public:
  explicit Stopwatch(std::uint64_t &sum) : sum_(sum), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    sum_ += static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start_).count());
  }

private:
  std::uint64_t &sum_;
  std::chrono::steady_clock::time_point start_;
};

template <class Ports> class Session {
public:
  Session(Link &link, const Identity &identity) : link_(link), identity_(identity) {}

  // run talks until the driver has closed the connection after END.
  void run() {
    FrameWriter hello;
    write_hello<Ports>(hello, identity_);
    link_.send(hello.bytes);
    check_hello(link_.read(HANDSHAKE_MS), hello);
    while (!ended_)
      handle(read());
    for (;;)
      link_.read(-1); // windows asked for beyond the end; PeerGone leaves
  }

private:
  using TheBench = Bench<Ports, FrameRecorder>;

  Frame read() {
    Stopwatch watch(wait_ns_);
    return link_.read(-1);
  }

  void send(const std::vector<std::uint8_t> &bytes) {
    Stopwatch watch(send_ns_);
    link_.send(bytes);
  }

  void handle(const Frame &frame) {
    switch (frame.kind) {
    case Kind::SETUP:
      return setup(frame);
    case Kind::STIMULUS:
      return stimulus(frame);
    case Kind::ADVANCE:
      return advance(frame);
    case Kind::ERROR: {
      Cursor c = frame.cursor("ERROR");
      throw Failure("the driver gave up: " + c.text("text"));
    }
    default:
      throw Failure("byte " + std::to_string(frame.offset) + ": frame of kind " +
                    std::to_string(static_cast<unsigned>(frame.kind)) + " that protocol version " +
                    std::to_string(PROTOCOL_VERSION) + " does not allow here; the driver said the same version");
    }
  }

  void setup(const Frame &frame) {
    Cursor c = frame.cursor("SETUP");
    if (bench_)
      c.fail("a second one");
    bench_.emplace(Setup::parse(c, Ports::PORT_COUNT), identity_.period_ps, recorder_);
  }

  void stimulus(const Frame &frame) {
    Cursor c = frame.cursor("STIMULUS");
    if (!bench_ || final_)
      c.fail(final_ ? "after the final ADVANCE" : "before SETUP");
    for (std::uint32_t n = c.u32("number of beats"); n > 0; --n) {
      const unsigned port = c.u8("port");
      if (!Ports::is_input(port))
        c.fail("port " + std::to_string(port) + " is not an input");
      const std::uint64_t earliest = c.u64("earliest cycle");
      bench_->push(port, earliest, c.take(Ports::beat_bytes(port), "beat"));
    }
    c.done();
  }

  void advance(const Frame &frame) {
    Cursor c = frame.cursor("ADVANCE");
    if (!bench_)
      c.fail("before SETUP");
    const std::uint64_t until = c.u64("cycle");
    final_ = c.flag("final") || final_;
    c.done();
    const auto state = cycles(until);
    if (state == TheBench::State::RUNNING)
      return flush(Kind::REACHED);
    finish(state);
  }

  // cycles runs until a cycle or the end of the run.
  typename TheBench::State cycles(std::uint64_t until) {
    Stopwatch watch(run_ns_);
    std::uint64_t spoken = bench_->cycle();
    const std::uint64_t send_before = send_ns_;
    auto state = bench_->state(final_);
    while (state == TheBench::State::RUNNING && bench_->cycle() < until) {
      bench_->step();
      const std::uint64_t cycle = bench_->cycle();
      if (recorder_.full() || cycle - spoken >= PROGRESS_CYCLES) {
        flush(Kind::PROGRESS);
        spoken = cycle;
      }
      if (cycle % WATCH_CYCLES == 0)
        look_around();
      state = bench_->state(final_);
    }
    run_ns_ -= send_ns_ - send_before; // sends are counted apart
    return state;
  }

  void look_around() {
    throw_if_stopped();
    if (link_.gone())
      throw PeerGone("the driver closed the connection");
  }

  // flush sends all records and a frame that says up to which cycle they are complete.
  void flush(Kind kind) {
    FrameWriter &w = recorder_.take();
    w.begin(kind);
    w.u64(bench_->cycle());
    w.end();
    send(w.bytes);
    w.bytes.clear();
  }

  void finish(typename TheBench::State state) {
    ended_ = true;
    bench_->device().close_waves(); // before END: who reads END finds the file complete
    FrameWriter &w = recorder_.take();
    auto &model = bench_->device().model();
    w.begin(Kind::COUNTERS);
    w.u8(static_cast<std::uint8_t>(Ports::COUNTER_COUNT));
    for (unsigned i = 0; i < Ports::COUNTER_COUNT; ++i)
      w.u32(Ports::counter(model, i));
    w.end();
    w.begin(Kind::END);
    w.u8(state == TheBench::State::LIMIT ? 1 : 0);
    w.u64(bench_->cycle());
    w.u32(bench_->pending());
    w.u32(bench_->waiting());
    w.u8(final_ ? 0 : 1);
    w.u64(Ports::identity(model, 0));
    w.u8(static_cast<std::uint8_t>(Ports::IDENTITY_COUNT - 1));
    for (unsigned i = 1; i < Ports::IDENTITY_COUNT; ++i)
      w.u64(Ports::identity(model, i));
    for (const std::uint64_t ns : {run_ns_, wait_ns_, send_ns_})
      w.u64(ns);
    w.end();
    link_.send(w.bytes);
  }

  Link &link_;
  const Identity &identity_;
  FrameRecorder recorder_;
  std::optional<TheBench> bench_;
  bool final_ = false, ended_ = false;
  std::uint64_t run_ns_ = 0, wait_ns_ = 0, send_ns_ = 0;
};

} // namespace metaroce

#endif
