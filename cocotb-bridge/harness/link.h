// Link: the socket to the driver, whole frames in and out. It never outlives the driver: a closed peer or a signal ends
// every wait.
#ifndef METAROCE_LINK_H
#define METAROCE_LINK_H

#include "wire.h"

#include <csignal>

namespace metaroce {

// stop_signal is the signal that asked the harness to end, or 0.
extern volatile std::sig_atomic_t stop_signal;
void catch_stop_signals();

// Stopped ends the harness because of a signal.
struct Stopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void throw_if_stopped();

struct Frame {
  Kind kind;
  std::uint64_t offset; // of the header in the stream
  std::vector<std::uint8_t> payload;

  Cursor cursor(const char *name) const { return Cursor(payload.data(), payload.size(), offset + HEADER_BYTES, name); }
};

class Link {
public:
  static Link unix_socket(const std::string &path);
  static Link tcp(const std::string &address); // host:port in numbers

  explicit Link(int fd) : fd_(fd) {}
  Link(Link &&other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Link(const Link &) = delete;
  Link &operator=(const Link &) = delete;
  ~Link();

  // read waits for one frame, at most timeout_ms (negative: for ever). Throws PeerGone at the end of the stream.
  Frame read(int timeout_ms);
  void send(const std::vector<std::uint8_t> &bytes);

  // finish ends this direction and waits a little for the driver to close, so that the last frame is not lost with
  // what the driver had sent and nobody will read.
  void finish();

  // gone tells, without waiting, whether the driver has closed its end.
  bool gone() const;

private:
  void fill(std::uint8_t *to, std::size_t n, int timeout_ms);
  void wait_readable(int timeout_ms);

  int fd_;
  std::uint64_t offset_ = 0;
};

} // namespace metaroce

#endif
