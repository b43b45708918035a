#include "classroom/system_calls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace workbook::classroom {

namespace {

// Other processes, the kernel itself, mounts and namespaces, the machine's clock: nothing that CUDA, C++ or
// their libraries ask for. A name that this system's library does not know is skipped.
constexpr const char* refused[] = {
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "kcmp",
    "pidfd_getfd",
    "pidfd_send_signal",
    "process_madvise",
    "rt_sigqueueinfo",
    "rt_tgsigqueueinfo",
    "tkill",
    "keyctl",
    "add_key",
    "request_key",
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "unshare",
    "setns",
    "open_tree",
    "move_mount",
    "fsopen",
    "fsmount",
    "fsconfig",
    "fspick",
    "mount_setattr",
    "open_by_handle_at",
    "quotactl",
    "swapon",
    "swapoff",
    "init_module",
    "finit_module",
    "delete_module",
    "kexec_load",
    "kexec_file_load",
    "reboot",
    "acct",
    "syslog",
    "settimeofday",
    "clock_settime",
    "clock_adjtime",
    "adjtimex",
    "sethostname",
    "setdomainname",
    "iopl",
    "ioperm",
    "modify_ldt",
    "lookup_dcookie",
    "vhangup",
    "nfsservctl",
};

void must(int result, const char* what) {
  if (result < 0)
    throw std::runtime_error(
        fmt::format("the filter for system calls: {}: {}", what, std::strerror(-result)));
}

}  // namespace

void write_system_call_filter(const grader::fs::path& path, bool gentle) {
  const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_ALLOW),
                                                                 &seccomp_release);
  if (!filter) throw std::runtime_error("the filter for system calls cannot be made");
  for (const char* name : refused) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR || number < 0) continue;
    must(seccomp_rule_add(filter.get(), SCMP_ACT_KILL_PROCESS, number, 0), name);
  }
  // Unix sockets alone; the judge speaks over one.
  const std::uint32_t no_network = gentle ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_KILL_PROCESS;
  must(seccomp_rule_add(filter.get(), no_network, SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_NE, AF_UNIX)),
       "socket");
  // The runner closes /proc/self/mem to itself (harness/runner/exchange.cpp); nobody opens it again.
  if (!gentle)
    must(seccomp_rule_add(filter.get(), SCMP_ACT_KILL_PROCESS, SCMP_SYS(prctl), 2,
                          SCMP_A0(SCMP_CMP_EQ, PR_SET_DUMPABLE), SCMP_A1(SCMP_CMP_NE, 0)),
         "prctl");
  // No namespace of one's own. clone3 hides its flags behind a pointer; the C library falls back to clone.
  must(seccomp_rule_add(filter.get(), SCMP_ACT_KILL_PROCESS, SCMP_SYS(clone), 1,
                        SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER)),
       "clone");
  must(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0), "clone3");
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0)
    throw std::runtime_error(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  const int result = seccomp_export_bpf(filter.get(), fd);
  ::close(fd);
  must(result, "writing it");
}

}  // namespace workbook::classroom
