// Wave dump of a window of cycles. The build variant decides what the harness can write: nothing, VCD or FST.
#ifndef METAROCE_WAVE_H
#define METAROCE_WAVE_H

#include "wire.h"

#if defined(METAROCE_TRACE_FST)
#include "verilated_fst_c.h"
#elif defined(METAROCE_TRACE_VCD)
#include "verilated_vcd_c.h"
#endif

#include <cerrno>

namespace metaroce {

#if defined(METAROCE_TRACE_FST)
using TraceFile = VerilatedFstC;
inline constexpr const char *TRACE_VARIANT = "fst";
#elif defined(METAROCE_TRACE_VCD)
using TraceFile = VerilatedVcdC;
inline constexpr const char *TRACE_VARIANT = "vcd";
#else
inline constexpr const char *TRACE_VARIANT = "none";
#endif

#if defined(METAROCE_TRACE_FST) || defined(METAROCE_TRACE_VCD)

class Wave {
public:
  ~Wave() { close(); }

  template <class Model> void attach(Model &model) { model.trace(&file_, 99); }

  void request(const std::string &name, std::uint64_t from, std::uint64_t to) {
    name_ = name;
    from_ = from;
    to_ = name.empty() ? 0 : to;
  }

  // wants tells whether cycle t is dumped, and opens or closes the file on the way.
  bool wants(std::uint64_t t) {
    if (t >= to_ || t < from_) {
      if (open_ && t >= to_)
        close();
      return false;
    }
    if (!open_)
      open();
    return true;
  }

  void dump(std::uint64_t time) { file_.dump(time); }

  void close() {
    if (open_)
      file_.close();
    open_ = false;
  }

private:
  void open() {
    errno = 0;
    file_.open(name_.c_str());
    open_ = file_.isOpen();
    if (!open_)
      throw Failure("cannot write waves to " + name_ + ": " + std::strerror(errno));
  }

  TraceFile file_;
  std::string name_;
  std::uint64_t from_ = 0, to_ = 0;
  bool open_ = false;
};

#else

class Wave {
public:
  template <class Model> void attach(Model &) {}
  void request(const std::string &name, std::uint64_t, std::uint64_t) {
    if (!name.empty())
      throw Failure("waves asked for in " + name + ", but this harness was built without a trace variant");
  }
  static constexpr bool wants(std::uint64_t) { return false; }
  void dump(std::uint64_t) {}
  void close() {}
};

#endif

} // namespace metaroce

#endif
