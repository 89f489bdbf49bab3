#include "link.h"

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace metaroce {

volatile std::sig_atomic_t stop_signal = 0;

namespace {

extern "C" void note_signal(int number) { stop_signal = number; }

std::string system_error(const std::string &what) { return what + ": " + std::strerror(errno); }

int connected(int fd, const sockaddr *address, socklen_t size, const std::string &name) {
  if (fd < 0)
    throw Failure(system_error("cannot make a socket"));
  if (connect(fd, address, size) != 0) {
    const std::string text = system_error("cannot connect to the driver at " + name);
    close(fd);
    throw Failure(text);
  }
  const int room = 1 << 20; // a few windows: the device runs on while the driver judges; the system may allow less
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  return fd;
}

} // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = note_signal; // without SA_RESTART: every wait ends
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

void throw_if_stopped() {
  if (stop_signal != 0)
    throw Stopped("signal " + std::to_string(stop_signal));
}

Link Link::unix_socket(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    throw Failure("socket path of " + std::to_string(path.size()) + " bytes: the system allows " +
                  std::to_string(sizeof address.sun_path - 1));
  std::memcpy(address.sun_path, path.data(), path.size());
  return Link(connected(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), reinterpret_cast<sockaddr *>(&address),
                        sizeof address, path));
}

Link Link::tcp(const std::string &name) {
  const std::size_t colon = name.rfind(':');
  sockaddr_in address{};
  address.sin_family = AF_INET;
  if (colon == std::string::npos || inet_pton(AF_INET, name.substr(0, colon).c_str(), &address.sin_addr) != 1)
    throw Failure("TCP address \"" + name + "\": want an IPv4 address and a port, as in 127.0.0.1:4000");
  const unsigned long port = std::strtoul(name.c_str() + colon + 1, nullptr, 10);
  if (port == 0 || port > 65535)
    throw Failure("TCP address \"" + name + "\": the port must be 1..65535");
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  const int fd = connected(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), reinterpret_cast<sockaddr *>(&address),
                           sizeof address, name);
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return Link(fd);
}

Link::~Link() {
  if (fd_ >= 0)
    close(fd_);
}

Frame Link::read(int timeout_ms) {
  Frame frame{Kind::ERROR, offset_, {}};
  std::uint8_t header[HEADER_BYTES];
  fill(header, sizeof header, timeout_ms);
  std::uint32_t length = 0;
  for (unsigned i = 0; i < 4; ++i)
    length |= static_cast<std::uint32_t>(header[i]) << (8 * i);
  if (length > MAX_PAYLOAD)
    throw Failure("byte " + std::to_string(frame.offset) + ": frame claims " + std::to_string(length) +
                  " bytes, the limit is " + std::to_string(MAX_PAYLOAD));
  frame.kind = static_cast<Kind>(header[4]);
  frame.payload.resize(length);
  fill(frame.payload.data(), length, timeout_ms);
  return frame;
}

void Link::fill(std::uint8_t *to, std::size_t n, int timeout_ms) {
  while (n > 0) {
    wait_readable(timeout_ms);
    const ssize_t got = ::recv(fd_, to, n, 0);
    if (got == 0 || (got < 0 && (errno == ECONNRESET || errno == EPIPE)))
      throw PeerGone("the driver closed the connection at byte " + std::to_string(offset_));
    if (got < 0 && errno != EINTR)
      throw Failure(system_error("cannot read from the driver"));
    if (got > 0) {
      to += got;
      n -= static_cast<std::size_t>(got);
      offset_ += static_cast<std::uint64_t>(got);
    }
  }
}

void Link::wait_readable(int timeout_ms) {
  for (;;) {
    throw_if_stopped();
    pollfd p{fd_, POLLIN, 0};
    const int n = poll(&p, 1, timeout_ms);
    if (n > 0)
      return;
    if (n == 0)
      throw Failure("the driver was silent for " + std::to_string(timeout_ms) + " ms at byte " + std::to_string(offset_));
    if (errno != EINTR)
      throw Failure(system_error("cannot wait for the driver"));
  }
}

void Link::send(const std::vector<std::uint8_t> &bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    throw_if_stopped();
    const ssize_t n = ::send(fd_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && (errno == EPIPE || errno == ECONNRESET))
      throw PeerGone("the driver closed the connection");
    if (n < 0 && errno != EINTR)
      throw Failure(system_error("cannot write to the driver"));
    sent += n > 0 ? static_cast<std::size_t>(n) : 0;
  }
}

void Link::finish() {
  constexpr int LAST_MS = 2000;
  shutdown(fd_, SHUT_WR);
  try {
    for (std::uint8_t dropped;;)
      fill(&dropped, 1, LAST_MS);
  } catch (const std::runtime_error &) {
    // closed, silent or stopped: in each case there is nothing left to say
  }
}

bool Link::gone() const {
  pollfd p{fd_, POLLRDHUP, 0};
  return poll(&p, 1, 0) > 0 && (p.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

} // namespace metaroce
