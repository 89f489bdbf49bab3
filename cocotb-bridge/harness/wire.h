// Bytes of the bridge protocol: limits, frame kinds, writing and reading of payloads. The README of cocotb-bridge
// describes every frame; cocotb-bridge/protocol is the same in Go, and a test runs the two against each other.
#ifndef METAROCE_WIRE_H
#define METAROCE_WIRE_H

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace metaroce {

inline constexpr char MAGIC[] = "MRBRIDGE";
inline constexpr unsigned MAGIC_BYTES = 8;
inline constexpr std::uint16_t PROTOCOL_VERSION = 1;
inline constexpr std::uint32_t MAX_PAYLOAD = 1u << 22;
inline constexpr std::size_t HEADER_BYTES = 5;
inline constexpr std::size_t MAX_TEXT = 4096;

enum class Kind : std::uint8_t {
  HELLO = 1,
  SETUP = 2,
  STIMULUS = 3,
  ADVANCE = 4,
  RECORDS = 5,
  REACHED = 6,
  PROGRESS = 7,
  COUNTERS = 8,
  END = 9,
  ERROR = 10,
};

// Failure ends the harness; its text goes to the driver as an ERROR frame and to stderr.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// PeerGone ends the harness in silence: the driver has closed its end.
struct PeerGone : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// FrameWriter collects frames; all integers little-endian.
class FrameWriter {
public:
  std::vector<std::uint8_t> bytes;

  void begin(Kind kind) {
    start_ = bytes.size();
    u32(0);
    u8(static_cast<std::uint8_t>(kind));
  }
  void end() { patch32(start_, static_cast<std::uint32_t>(bytes.size() - start_ - HEADER_BYTES)); }

  void u8(std::uint8_t v) { bytes.push_back(v); }
  void u16(std::uint16_t v) { number(v, 2); }
  void u32(std::uint32_t v) { number(v, 4); }
  void u64(std::uint64_t v) { number(v, 8); }
  void text(const std::string &s) {
    const std::size_t n = s.size() < MAX_TEXT ? s.size() : MAX_TEXT;
    u16(static_cast<std::uint16_t>(n));
    bytes.insert(bytes.end(), s.begin(), s.begin() + static_cast<std::ptrdiff_t>(n));
  }
  void patch32(std::size_t at, std::uint32_t v) {
    for (unsigned i = 0; i < 4; ++i)
      bytes[at + i] = static_cast<std::uint8_t>(v >> (8 * i));
  }

private:
  void number(std::uint64_t v, unsigned n) {
    for (unsigned i = 0; i < n; ++i)
      u8(static_cast<std::uint8_t>(v >> (8 * i)));
  }
  std::size_t start_ = 0;
};

// Cursor reads a payload from front to back and throws where it ends too early.
class Cursor {
public:
  Cursor(const std::uint8_t *begin, std::size_t size, std::uint64_t offset, const char *frame)
      : begin_(begin), size_(size), offset_(offset), frame_(frame) {}

  std::uint8_t u8(const char *what) { return *take(1, what); }
  std::uint16_t u16(const char *what) { return static_cast<std::uint16_t>(number(2, what)); }
  std::uint32_t u32(const char *what) { return static_cast<std::uint32_t>(number(4, what)); }
  std::uint64_t u64(const char *what) { return number(8, what); }
  bool flag(const char *what) {
    const std::uint8_t v = u8(what);
    if (v > 1)
      fail(std::string(what) + ": neither 0 nor 1");
    return v == 1;
  }
  std::string text(const char *what) {
    const std::size_t n = u16(what);
    const std::uint8_t *p = take(n, what);
    return std::string(p, p + n);
  }
  const std::uint8_t *take(std::size_t n, const char *what) {
    if (size_ - at_ < n)
      fail(std::string(what) + ": " + std::to_string(size_ - at_) + " bytes left, want " + std::to_string(n));
    at_ += n;
    return begin_ + at_ - n;
  }
  void done() {
    if (at_ != size_)
      fail(std::to_string(size_ - at_) + " bytes too many");
  }
  [[noreturn]] void fail(const std::string &what) const {
    throw Failure("byte " + std::to_string(offset_ + at_) + ": " + frame_ + " frame: " + what);
  }

private:
  std::uint64_t number(unsigned n, const char *what) {
    const std::uint8_t *p = take(n, what);
    std::uint64_t v = 0;
    for (unsigned i = 0; i < n; ++i)
      v |= static_cast<std::uint64_t>(p[i]) << (8 * i);
    return v;
  }
  const std::uint8_t *begin_;
  std::size_t size_;
  std::size_t at_ = 0;
  std::uint64_t offset_;
  const char *frame_;
};

} // namespace metaroce

#endif
