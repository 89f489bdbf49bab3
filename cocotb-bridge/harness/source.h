// Source of an input port: offers beats from their earliest cycle on, in order (spec: bench.source).
#ifndef METAROCE_SOURCE_H
#define METAROCE_SOURCE_H

#include <cstdint>
#include <vector>

namespace metaroce {

class Source {
public:
  void start(unsigned beat_bytes) {
    beat_bytes_ = beat_bytes;
    cycles_.clear();
    beats_.clear();
    head_ = 0;
  }

  void push(std::uint64_t earliest, const std::uint8_t *beat) {
    compact();
    cycles_.push_back(earliest);
    beats_.insert(beats_.end(), beat, beat + beat_bytes_);
    newest_ = earliest;
  }

  bool empty() const { return head_ == cycles_.size(); }
  bool due(std::uint64_t t) const { return !empty() && cycles_[head_] <= t; }
  const std::uint8_t *beat() const { return beats_.data() + head_ * beat_bytes_; }
  void pop() { ++head_; }

  // newest is the earliest cycle of the beat pushed last: no later one is left in the source.
  std::uint64_t newest() const { return newest_; }

private:
  // compact drops what has been accepted once it is the larger half.
  void compact() {
    if (head_ < 4096 || head_ * 2 < cycles_.size())
      return;
    cycles_.erase(cycles_.begin(), cycles_.begin() + static_cast<std::ptrdiff_t>(head_));
    beats_.erase(beats_.begin(), beats_.begin() + static_cast<std::ptrdiff_t>(head_ * beat_bytes_));
    head_ = 0;
  }

  std::vector<std::uint64_t> cycles_;
  std::vector<std::uint8_t> beats_;
  std::size_t head_ = 0;
  unsigned beat_bytes_ = 0;
  std::uint64_t newest_ = 0;
};

} // namespace metaroce

#endif
