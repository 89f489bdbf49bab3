// Recorders: what becomes of a handshake or an event (spec: bench.record).
#ifndef METAROCE_RECORDER_H
#define METAROCE_RECORDER_H

#include "wire.h"

namespace metaroce {

// FrameRecorder writes RECORDS frames.
class FrameRecorder {
public:
  static constexpr std::size_t FULL = 1u << 16; // bytes: send before more is added

  template <class Ports> void record(std::uint64_t cycle, unsigned port, const typename Ports::Model &model) {
    if (count_ == 0)
      open(cycle);
    const std::size_t bytes = Ports::is_input(port) ? 0 : Ports::beat_bytes(port);
    const std::size_t at = frame_.bytes.size();
    frame_.bytes.resize(at + MAX_VARINT + 1 + bytes);
    std::uint8_t *p = frame_.bytes.data() + at;
    std::uint64_t delta = cycle - last_;
    for (; delta >= 0x80; delta >>= 7)
      *p++ = static_cast<std::uint8_t>(delta | 0x80);
    *p++ = static_cast<std::uint8_t>(delta);
    *p++ = static_cast<std::uint8_t>(port);
    if (bytes != 0)
      Ports::pack(model, port, p);
    frame_.bytes.resize(static_cast<std::size_t>(p - frame_.bytes.data()) + bytes);
    last_ = cycle;
    ++count_;
  }

  bool full() const { return frame_.bytes.size() >= FULL; }

  // take closes the open frame and returns what is to be sent; clear it afterwards.
  FrameWriter &take() {
    if (count_ != 0) {
      frame_.patch32(HEADER_BYTES + 8, count_);
      frame_.end();
    }
    count_ = 0;
    return frame_;
  }

private:
  static constexpr std::size_t MAX_VARINT = 10;

  void open(std::uint64_t cycle) {
    frame_.bytes.clear();
    frame_.begin(Kind::RECORDS);
    frame_.u64(cycle);
    frame_.u32(0); // count, written by take
    last_ = cycle;
  }

  FrameWriter frame_;
  std::uint64_t last_ = 0;
  std::uint32_t count_ = 0;
};

// CountRecorder only counts: the bare bench.
struct CountRecorder {
  std::uint64_t records = 0;
  template <class Ports> void record(std::uint64_t, unsigned, const typename Ports::Model &) { ++records; }
};

} // namespace metaroce

#endif
