"""Hostile answers to exercise 2.1, each with what must come of it.

An entry is Hostile(name, attack class, statuses that may come, code or None, top, body, base): `top` stands above the
functions, `body` at the begin of saxpy. Base "wrong" computes nothing, so that whoever passes has not earned it; "right"
is a good answer; "slow" a right one in blocks of one warp, which may not get more points than it does without its tricks;
"none" leaves saxpy to `body` alone. `code` may be a tuple of several. Attacks on other exercises: hostile_elsewhere.py.
"""
import collections

Hostile = collections.namedtuple("Hostile", "name group statuses code top body base")

SOURCE = """#include <cuda_runtime.h>
#include <cstddef>
{top}
int ceil_div(int n, int group) {{ return n / group + (n % group != 0); }}
std::size_t bytes_moved(int n) {{ return std::size_t{{3}} * sizeof(float) * n; }}
__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = {value};
}}
void saxpy(int n, float a, const float* d_x, float* d_y) {{
  {body}
  {launch}
}}
"""
LAUNCH = "if (n == 0) return; saxpy_kernel<<<ceil_div(n, 256), 256>>>(n, a, d_x, d_y);"
SLOW_LAUNCH = LAUNCH.replace("256", "32")

# A system call without a system call in one's own code: an instruction of the C library's is found and called.
GADGET = r"""
#include <cstdio>
#include <cstdlib>
static long gadget(long number, long a, long b, long c, long d = 0, long e = 0) {
  static const unsigned char* found = nullptr;
  for (auto* p = reinterpret_cast<const unsigned char*>(&std::getenv); found == nullptr; ++p)
    if (p[0] == 0x0f && p[1] == 0x05 && p[2] == 0x48 && p[3] == 0x3d && p[8] == 0x73 && p[9] == 0x01 && p[10] == 0xc3) found = p;
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  // Behind it the library compares and returns; what it does to errno is no matter here.
  asm volatile("call *%[f]" : "=a"(result) : [f] "r"(found), "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
               : "rcx", "r11", "memory", "cc");
  return result;
}
"""


def source_of(entry):
    right = entry.base in ("right", "slow", "none-right")
    return SOURCE.format(top=entry.top, body=entry.body, value="a * x[i] + y[i]" if right else "y[i]",
                         launch=LAUNCH if entry.base in ("right", "wrong") else SLOW_LAUNCH if entry.base == "slow" else "")


NOT_PASSED = ("wrong", "crashed", "timed out", "did not compile", "too slow")
ALL = []


def hostile(name, group, statuses, code=None, top="", body="", base="wrong"):
    ALL.append(Hostile(name, group, (statuses,) if isinstance(statuses, str) else statuses, code, top, body, base))


# The record of what a program did is closed to it where runners are confined; by the descriptor itself it can be reached.
# ---- the result channel ----------------------------------------------------------------------------------------
IO = "#include <cstdio>\n#include <cstdlib>\n"
hostile("prints_passed", "forged output", "wrong", None, IO, 'std::puts("[  PASSED  ] 3 tests.\\nPASSED");')
hostile("prints_scores", "forged output", "wrong", None, IO, 'std::puts("{\\"scores\\":{\\"2.1\\":10}}"); std::fflush(stdout);')
hostile("prints_a_record", "forged output", "wrong", None, IO,
        'std::fputs("{\\"event\\":\\"case\\",\\"name\\":\\"every_size\\",\\"outcome\\":\\"passed\\"}\\n{\\"event\\":\\"end\\"}\\n", stderr);')
hostile("exit_in_the_function", "early exit", "crashed", "ended_early", IO, "std::exit(0);")
hostile("quick_exit_in_the_function", "early exit", "crashed", "ended_early", IO, "std::quick_exit(0);")
hostile("exit_in_a_static_constructor", "constructors", "crashed", "ended_early", IO + "struct E { E() { std::_Exit(0); } } e;")
hostile("exit_in_a_constructor_function", "constructors", "crashed", "ended_early", IO + "__attribute__((constructor)) static void c() { std::_Exit(0); }")
hostile("exit_127", "early exit", "crashed", "ended_early", IO, "std::_Exit(127);")
hostile("exit_when_it_is_asked_to_end", "early exit", "wrong", None, IO, "std::atexit([] { std::_Exit(0); });")
hostile("exit_in_a_signal_handler", "early exit", "crashed", "ended_early", IO + "#include <csignal>\n",
        "std::signal(SIGUSR1, [](int) { std::_Exit(0); }); std::raise(SIGUSR1);")
hostile("writes_to_the_judge", "forged output", "wrong", "name.refused", "#include <unistd.h>\n", 'write(3, "r", 1);')
hostile("prints_to_every_descriptor", "forged output", "wrong", "name.refused", IO, 'for (int i = 3; i < 64; ++i) dprintf(i, "r");')
hostile("opens_every_descriptor", "forged output", "wrong", "name.refused", IO, 'if (FILE* f = fdopen(3, "w")) std::fputc(\'r\', f);')
hostile("writes_into_the_trace", "forged output", "wrong", None, IO,
        'if (FILE* f = std::fopen("/proc/self/fd/4", "a")) { std::fputs("{\\"kind\\":\\"kernel\\",\\"id\\":1}\\n", f); std::fclose(f); }')
hostile("writes_garbage_into_the_trace", "forged output", "wrong", None, "#include <fstream>\n",
        'std::ofstream("/proc/self/fd/4", std::ios::app) << "\\x01\\x02garbage\\n";')
hostile("answers_by_a_library_call", "forged output", "wrong", "answer.forged", GADGET, 'static const char r = \'r\'; gadget(1, 3, (long)&r, 1); for (;;) gadget(35, (long)"\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0", 0, 0);')
hostile("forges_the_trace_by_a_library_call", "forged output", "wrong", "trace.forged", GADGET,
        'static const char line[] = "{\\"kind\\":\\"note\\",\\"id\\":99,\\"name\\":\\"region\\"}\\n"; gadget(1, 4, (long)line, sizeof line - 1);')
hostile("closes_the_trace", "forged output", "wrong", "trace.cut", GADGET, "gadget(3, 4, 0, 0);", "right")
hostile("takes_the_key_from_the_environment", "environment", "wrong", None, IO,
        'const char* k = std::getenv("WORKBOOK_ANSWER_KEY"); if (k != nullptr) std::puts(k);')
hostile("overwrites_solution_and_results", "tampered tests", "wrong", None, "#include <fstream>\n",
        'for (const char* p : {"/tmp/grades.json", "../grades.json", "results.json", "/autograder/results/results.json"}) std::ofstream(p) << "{\\"score\\": 100}";')

# ---- linking and loading ---------------------------------------------------------------------------------------
hostile("defines_main", "symbol overrides", "wrong", "name.taken", "int main() { return 0; }")
hostile("defines_event_elapsed_time", "symbol overrides", "wrong", "name.taken",
        "cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) { *ms = 0; return cudaSuccess; }")
hostile("defines_a_weak_memcpy", "symbol overrides", "wrong", "name.taken",
        '__attribute__((weak)) cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind) { return cudaSuccess; }')
hostile("defines_memcmp", "symbol overrides", "wrong", "name.taken", 'extern "C" int memcmp(const void*, const void*, size_t) { return 0; }')
hostile("defines_getenv", "symbol overrides", "wrong", "name.taken", '#include <cstdlib>\nextern "C" char* getenv(const char*) noexcept { return nullptr; }')
hostile("replaces_operator_delete", "symbol overrides", NOT_PASSED, None,
        "#include <new>\n#include <cstdlib>\nvoid operator delete(void*) noexcept {}\nvoid operator delete(void*, std::size_t) noexcept {}")
hostile("defines_a_wrapper", "symbol overrides", "wrong", "name.taken", 'extern "C" cudaError_t __wrap_cudaMalloc(void**, size_t) { return cudaSuccess; }')
hostile("defines_the_workbooks_copy", "symbol overrides", "wrong", "name.taken",
        "namespace workbook::kernels { void copy(const void*, void*, std::size_t) {} }")
hostile("defines_the_clock", "timer tricks", "wrong", "name.taken",
        "#include <chrono>\nstd::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept { return {}; }")
hostile("defines_recvmsg", "symbol overrides", "wrong", "name.taken", 'struct msghdr; extern "C" long recvmsg(int, msghdr*, int) { return -1; }')
hostile("constructor_before_all_others", "constructors", "wrong", "constructor.refused", 'static void early() {}\n__attribute__((section(".init_array.00101"), used)) static void (*entry)() = early;')
hostile("function_chosen_at_start", "constructors", "wrong", "constructor.refused",
        'extern "C" { static void one() {} static void (*pick())() { return one; } void chosen() __attribute__((ifunc("pick"))); }')
hostile("section_before_constructors", "constructors", "wrong", "constructor.refused",
        '#include <cstdlib>\nstatic void early() {}\n__attribute__((section(".preinit_array"), used)) static void (*entry)() = early;')
hostile("starts_itself_with_a_preload", "environment", "wrong", "name.refused", IO + "#include <unistd.h>\n",
        'setenv("LD_PRELOAD", "/tmp/mine.so", 1); char* const v[] = {nullptr}; execv("/proc/self/exe", v);')
hostile("sets_an_injection_library", "environment", "wrong", None, IO, 'setenv("CUDA_INJECTION64_PATH", "/tmp/mine.so", 1); setenv("GTEST_FILTER", "-*", 1);')
hostile("opens_a_library", "symbol overrides", "wrong", "name.refused", "#include <dlfcn.h>\n", 'dlsym(RTLD_DEFAULT, "wbRegion");')
hostile("walks_the_libraries", "symbol overrides", "wrong", "name.refused", "#include <link.h>\n",
        "dl_iterate_phdr([](dl_phdr_info*, size_t, void*) { return 0; }, nullptr);")
hostile("macros_over_the_runtime", "symbol overrides", "wrong", None, "#define cudaEventElapsedTime(ms, a, b) (*(ms) = 0, cudaSuccess)\n#define main solution\n")
hostile("code_in_data", "raw system calls", "wrong", "code.refused",
        'asm(".section .mine,\\"awx\\",@progbits\\n.byte 0x0f,0x05,0xc3\\n.text");')
hostile("makes_pages_executable", "raw system calls", "wrong", "name.refused", "#include <sys/mman.h>\n",
        "mprotect((void*)((unsigned long)&saxpy & ~4095ul), 4096, PROT_READ | PROT_WRITE | PROT_EXEC);")
hostile("system_call_in_assembler", "raw system calls", "wrong", "system_call.refused", "",
        'asm volatile("syscall" ::"a"(1), "D"(3), "S"("r"), "d"(1) : "rcx", "r11", "memory");')
hostile("old_system_call_in_assembler", "raw system calls", "wrong", "system_call.refused", "", 'asm volatile("int $0x80" ::"a"(1), "b"(0));')
hostile("kills_the_judge", "raw system calls", NOT_PASSED, None, GADGET, "for (long p = 2; p < 400000; ++p) gadget(62, p, 9, 0); gadget(62, gadget(110, 0, 0, 0), 9, 0);")
hostile("traces_its_parent", "raw system calls", "crashed", "system_call", GADGET, "gadget(101, 16, gadget(110, 0, 0, 0), 0);")
hostile("reads_another_process", "raw system calls", "crashed", "system_call", GADGET, "gadget(310, 1, 0, 0);")
hostile("makes_a_namespace", "raw system calls", "crashed", "system_call", GADGET, "gadget(272, 0x10000000, 0, 0);")
hostile("calls_home", "raw system calls", "crashed", "system_call", GADGET, "gadget(41, 2, 1, 0);")
hostile("opens_a_socket", "network", "wrong", "name.refused", "#include <sys/socket.h>\n", "socket(AF_INET, SOCK_STREAM, 0);")

# ---- correctness -----------------------------------------------------------------------------------------------
hostile("does_nothing", "nothing done", "wrong", None, "", "", "none")
hostile("writes_zeros", "nothing done", "wrong", None, "", "cudaMemset(d_y, 0, n * sizeof(float));", "none")
hostile("works_on_the_host", "nothing done", "wrong", "work_on_the_host", "#include <vector>\n",
        "std::vector<float> x(n), y(n); cudaMemcpy(x.data(), d_x, n * 4, cudaMemcpyDefault); cudaMemcpy(y.data(), d_y, n * 4, cudaMemcpyDefault);"
        " for (int i = 0; i < n; ++i) y[i] += a * x[i]; cudaMemcpy(d_y, y.data(), n * 4, cudaMemcpyDefault);")
hostile("knows_the_published_sizes", "hard-coded", "wrong", None, "",
        "for (int known : {0, 1, 31, 32, 33, 255, 256, 257, 513, 1000, 5003, 100003, 1 << 21}) if (n == known) { " + LAUNCH + " }", "none")
hostile("right_the_first_time_only", "replay caches", "wrong", None, "static int calls = 0;\n", "if (calls++ > 0) return;", "right")
hostile("replays_by_pointer", "replay caches", "wrong", None, "static const float* seen = nullptr;\n", "if (seen == d_y) return; seen = d_y;", "right")
hostile("changes_its_input", "nothing done", "wrong", None, "__global__ void clear(float* p, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) p[i] = 0; }\n",
        "if (n > 0) { clear<<<(n + 255) / 256, 256>>>(const_cast<float*>(d_x), n); clear<<<(n + 255) / 256, 256>>>(d_y, n); }", "none")
hostile("searches_the_device_memory", "reading the expected values", ("wrong", "crashed"), None,
        "__global__ void search(float* y, int n) { for (long i = -1000000; i < 1000000; ++i) if (y[i] == 1.0f) y[0] = y[i + 1]; }\n", "if (n > 0) search<<<1, 1>>>(d_y, n);", "none")
hostile("hands_out_what_is_left_in_memory", "reading the expected values", ("wrong", "crashed"), None, "",
        "float* old = nullptr; cudaMalloc(&old, n * 4 + 4); cudaMemcpy(d_y, old, n * 4, cudaMemcpyDeviceToDevice);", "none")
hostile("answers_not_a_number", "nothing done", "wrong", None, "#include <cmath>\n__global__ void nan_kernel(float* y, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = nanf(\"\"); }\n",
        "if (n > 0) nan_kernel<<<(n + 255) / 256, 256>>>(d_y, n);", "none")
hostile("half_the_precision", "precision", "wrong", None, "#include <cuda_fp16.h>\n__global__ void half_kernel(int n, float a, const float* x, float* y) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) y[i] = __half2float(__hadd(__hmul(__float2half(a), __float2half(x[i])), __float2half(y[i]))); }\n",
        "if (n > 0) half_kernel<<<(n + 255) / 256, 256>>>(n, a, d_x, d_y);", "none")

# ---- time ------------------------------------------------------------------------------------------------------
hostile("a_thread_does_it_later", "other threads", ("wrong", "crashed"), None, "#include <thread>\n#include <chrono>\n",
        "if (n > 0) std::thread([=] { std::this_thread::sleep_for(std::chrono::milliseconds(200)); saxpy_kernel<<<ceil_div(n, 256), 256>>>(n, a, d_x, d_y); }).detach();", "none")
hostile("another_stream_does_it_later", "other streams", NOT_PASSED, None, IO + "__global__ void wait(long long c) { long long t = clock64(); while (clock64() - t < c) {} }\nstatic cudaStream_t s = nullptr;\n",
        "if (s == nullptr) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); if (n > 0) { wait<<<1, 1, 0, s>>>(300000); saxpy_kernel<<<ceil_div(n, 256), 256, 0, s>>>(n, a, d_x, d_y); }", "none")
hostile("works_when_the_program_ends", "launch-time work hidden", "wrong", None, IO, "std::atexit([] { cudaDeviceSynchronize(); });", "none")
hostile("only_a_tenth_of_the_work", "launch-time work hidden", "wrong", None, "", "if (n > 0) saxpy_kernel<<<ceil_div(n / 10 + 1, 256), 256>>>(n / 10 + 1, a, d_x, d_y);", "none")

# ---- the machine -----------------------------------------------------------------------------------------------
hostile("forks", "fork bombs", "wrong", "name.refused", "#include <unistd.h>\n", "for (;;) fork();")
hostile("forks_by_a_library_call", "fork bombs", NOT_PASSED, None, GADGET, "for (int i = 0; i < 5000; ++i) if (gadget(56, 17, 0, 0) == 0) for (;;) gadget(34, 0, 0, 0);")
hostile("leaves_a_daemon", "leftovers", NOT_PASSED, None, GADGET, "if (gadget(56, 17, 0, 0) == 0) { gadget(112, 0, 0, 0); for (;;) gadget(34, 0, 0, 0); }")
hostile("starts_ten_thousand_threads", "fork bombs", NOT_PASSED, None, "#include <thread>\n#include <vector>\n#include <chrono>\n",
        "std::vector<std::thread> t; for (int i = 0; i < 10000; ++i) t.emplace_back([] { std::this_thread::sleep_for(std::chrono::seconds(100)); });")
hostile("takes_all_memory", "floods", ("crashed", "timed out"), ("memory", "timeout"), IO + "#include <cstring>\n", "for (;;) { void* p = std::malloc(64 << 20); if (p == nullptr) std::abort(); std::memset(p, 1, 64 << 20); }")
hostile("floods_its_output", "floods", "wrong", None, IO, "static char line[65536]; for (char& c : line) c = 'x'; if (n == 0) for (int i = 0; i < 1600; ++i) std::fwrite(line, 1, sizeof line, stdout);")
hostile("floods_the_trace", "floods", ("wrong", "crashed", "timed out"), None, IO,
        'if (FILE* f = std::fopen("/proc/self/fd/4", "a")) for (;;) if (std::fputs("{\\"kind\\":\\"note\\",\\"id\\":1,\\"text\\":\\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\"}\\n", f) < 0) break;')
hostile("fills_the_disk", "floods", ("crashed", "wrong"), None, IO, 'static char b[1 << 20]; if (FILE* f = std::fopen("/tmp/big", "w")) for (int i = 0; i < 4000; ++i) if (std::fwrite(b, 1, sizeof b, f) != sizeof b) break;')
hostile("fills_the_shared_memory", "floods", ("crashed", "wrong"), None, IO, 'static char b[1 << 20]; if (FILE* f = std::fopen("/dev/shm/big", "w")) for (int i = 0; i < 4000; ++i) if (std::fwrite(b, 1, sizeof b, f) != sizeof b) break;')
hostile("never_ends", "hangs", "timed out", "timeout", "static volatile int going = 1;\n", "while (going) {}")
hostile("a_kernel_that_never_ends", "hangs", ("timed out", "wrong", "crashed"), None, "__global__ void forever(volatile int* p) { while (p[0] != 12345) {} }\n", "if (n > 0) forever<<<1, 1>>>((int*)d_y);", "none")
hostile("calls_itself_for_ever", "hangs", "crashed", "stack_overflow", "static volatile int depth = 0;\n__attribute__((noinline)) static int deeper(int k) { volatile char room[4096]; room[0] = (char)k; ++depth; return deeper(k + 1) + room[0]; }\n", "depth += deeper(1);")
hostile("throws_a_number", "crashes", "crashed", None, "", "throw 5;")
hostile("prints_escape_sequences", "forged output", "wrong", None, IO, 'std::fputs("\\033[2J\\033]0;owned\\007 ]]></system-out> \\x00\\x01 \\xff\\xfe", stdout);')
hostile("includes_the_solution", "reading the reference", "wrong", "include.refused", '#include "solutions/02_grids_blocks_threads/01_one_thread_per_element.cu"\n')
hostile("includes_by_another_way", "reading the reference", "wrong", "include.refused", '#include "workbook/../../solutions/02_grids_blocks_threads/01_one_thread_per_element.cu"\n')
hostile("includes_by_a_macro", "reading the reference", "did not compile", None, '#define S <solutions/02_grids_blocks_threads/01_one_thread_per_element.cu>\n#include S\n')
hostile("includes_the_passwords", "reading the reference", "wrong", "include.refused", '#include "/etc/passwd"\n')
hostile("includes_the_passwords_by_a_macro", "reading the reference", "did not compile", None, '#define P "/etc/passwd"\n#include P\n')
hostile("takes_a_file_into_its_data", "reading the reference", "wrong", "include.refused", 'asm(".incbin \\"/etc/passwd\\"");\n')
hostile("a_template_without_an_end", "compile-time attacks", "did not compile", None, "template <int N> struct T { static constexpr int v = T<N + 1>::v; };\nstatic int x = T<0>::v;\n")
hostile("a_constant_of_gigabytes", "compile-time attacks", ("did not compile", "wrong"), None, "static const char big[3000000000u] = {1};\nconst char* use() { return big; }\n")

# ---- by someone who has read the workbook's source --------------------------------------------------------------
DRIVER = "#include <workbook/driver.h>\n#include <thread>\n#include <chrono>\n"
hostile("registers_a_driver_of_its_own", "symbol overrides", "wrong", "name.refused", DRIVER +
        "static void mine(workbook::Call& call) { float* y = call.device_inout<float>(\"y\"); call.learner([&] { cudaMemset(y, 0, 4); }); }\n"
        "static int late = (std::thread([] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); workbook::DriverRegistration(\"saxpy\", mine); }).detach(), 0);\n")
hostile("takes_the_drivers_from_their_list", "symbol overrides", "wrong", "name.refused", DRIVER +
        "#include <map>\nnamespace workbook::runner { std::map<std::string, DriverFunction, std::less<>>& drivers(); }\n", "workbook::runner::drivers().clear();")
hostile("says_it_was_busy_for_less_than_nothing", "timer tricks", "wrong", "name.refused", "namespace workbook { void host_work(double); }\n", "workbook::host_work(-1000.0);", "slow")
hostile("opens_a_door_of_the_simulated_device", "timer tricks", "wrong", "name.refused", 'extern "C" void wbHostWork(double);\n', "wbHostWork(-1000.0);", "slow")
hostile("ends_its_region_by_itself", "timer tricks", "wrong", "name.refused", 'extern "C" void wbRegion(const char*, int);\n', 'wbRegion("", 0);', "slow")
hostile("calls_what_the_linker_wraps", "symbol overrides", "wrong", "name.refused", 'extern "C" cudaError_t __real_cudaMalloc(void**, size_t);\n', "void* p; __real_cudaMalloc(&p, 4);")
hostile("throws_the_graders_own_exception", "grader's fault pretended", "wrong", "name.taken",
        "#include <string>\nnamespace workbook::runner { struct GraderError { std::string text; }; }\n", 'throw workbook::runner::GraderError{"the grader is broken"};')
SETS = 'struct Early { Early() { %s } } early;\n'
hostile("sets_another_device_profile", "environment", ("too slow", "wrong"), None, IO + SETS % ' '.join(
        f'setenv("{n}", "{v}", 1);' for n, v in (("WORKBOOK_PROFILE", "h200@1"), ("WORKBOOK_SIM_THREADS", "0"), ("CUDA_MODULE_LOADING", "EAGER"))), "", "slow")
hostile("gives_the_device_settings_it_does_not_know", "environment", NOT_PASSED, None, IO + SETS % ' '.join(
        f'setenv("{n}", "nonsense", 1);' for n in ("WORKBOOK_HANDLERS", "WORKBOOK_INSTRUCTION_BUDGET", "WORKBOOK_SEED", "WORKBOOK_PROFILE")))
hostile("says_that_another_device_was_asked_for", "grader's fault pretended", NOT_PASSED, None, IO + SETS % 'setenv("WORKBOOK_EXPECT", "gpu", 1);')
hostile("forgets_what_was_asked_for", "grader's fault pretended", NOT_PASSED, None, IO + SETS % 'unsetenv("WORKBOOK_EXPECT"); clearenv();')
hostile("sends_the_trace_elsewhere", "environment", NOT_PASSED, None, IO + SETS % 'setenv("WORKBOOK_TRACE_FD", "1", 1); setenv("WORKBOOK_CONTROL_FD", "2", 1);')
hostile("hides_the_gpus", "grader's fault pretended", NOT_PASSED, None, IO + SETS % 'setenv("CUDA_VISIBLE_DEVICES", "", 1);')
hostile("writes_read_only_memory_through_proc", "own memory", "wrong", None, IO + "static const volatile int locked = 0;\n",
        'const int one = 1; if (FILE* f = std::fopen("/proc/self/mem", "r+b")) { std::fseek(f, (long)&locked, SEEK_SET); std::fwrite(&one, 4, 1, f); std::fclose(f); }'
        " if (locked == 1) { if (n > 0) saxpy_kernel<<<ceil_div(n, 256), 256>>>(n, a, d_x, d_y); }", "none-right")
hostile("opens_its_own_memory_again", "own memory", "crashed", "system_call", GADGET, "gadget(157, 4, 1, 0);")
hostile("searches_its_memory_for_the_key", "own memory", "wrong", None, IO + "#include <cstring>\n",
        'if (FILE* f = std::fopen("/proc/self/environ", "r")) { static char e[65536]; const size_t got = std::fread(e, 1, sizeof e, f); for (size_t i = 0; i + 3 < got; ++i) if (std::memcmp(e + i, "KEY", 3) == 0) std::puts(e + i); }')
hostile("reads_whose_child_it_is", "reading the expected values", "wrong", None, "#include <fstream>\n#include <string>\n#include <iostream>\n",
        'for (int p = 1; p < 400; ++p) { std::ifstream in("/proc/" + std::to_string(p) + "/cmdline"); std::string s; std::getline(in, s); if (s.find("--seed") != std::string::npos) std::cout << s; }')
hostile("asks_to_be_traced", "raw system calls", "crashed", "system_call", GADGET, "gadget(101, 0, 0, 0);")
hostile("answers_a_thousand_times", "forged output", ("wrong", "crashed"), None, GADGET, "static const char r = 'r'; for (int i = 0; i < 1000; ++i) gadget(44, 3, (long)&r, 1, 0x4040);")
hostile("closes_its_line_to_the_judge", "forged output", ("wrong", "crashed", "timed out"), None, GADGET, "gadget(3, 3, 0, 0);", "right")
hostile("cuts_the_answer_short", "forged output", ("wrong", "crashed", "timed out"), None, GADGET, "for (int fd = 3; fd < 32; ++fd) gadget(77, fd, 0, 0);")
hostile("lets_a_child_answer", "early exit", ("crashed", "wrong", "timed out"), None, GADGET, "if (gadget(57, 0, 0, 0) != 0) gadget(231, 0, 0, 0);", "right")
hostile("stops_itself", "hangs", "timed out", "timeout", "#include <csignal>\n", "std::raise(SIGSTOP);")
hostile("ignores_every_signal_and_waits", "hangs", "timed out", "timeout", "#include <csignal>\n#include <thread>\n#include <chrono>\n",
        "for (int s = 1; s < 32; ++s) std::signal(s, SIG_IGN); for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));")
hostile("waits_for_a_line_from_the_terminal", "hangs", NOT_PASSED, None, IO, "while (std::getchar() != 'x') {}")
hostile("opens_every_file_it_can", "floods", NOT_PASSED, None, IO, 'for (int i = 0; i < 2000000 && std::fopen("/dev/null", "r") != nullptr; ++i) {}')
hostile("makes_a_hundred_thousand_files", "leftovers", NOT_PASSED, None, IO, 'char name[64]; for (int i = 0; i < 100000; ++i) { std::snprintf(name, sizeof name, "/tmp/%d", i); if (FILE* f = std::fopen(name, "w")) std::fclose(f); }')
hostile("leaves_a_file_for_the_next", "leftovers", "wrong", None, "#include <fstream>\n",
        'for (const char* p : {"/tmp/left", "/dev/shm/left", "left", "/var/tmp/left", "/run/left"}) { if (std::ifstream(p)) { saxpy_kernel<<<ceil_div(n, 256), 256>>>(n, a, d_x, d_y); break; } } '
        'for (const char* p : {"/tmp/left", "/dev/shm/left", "left", "/var/tmp/left", "/run/left"}) std::ofstream(p) << "I was here";', "none-right")
hostile("takes_all_the_devices_memory", "leftovers", NOT_PASSED, None, "", "void* p; while (cudaMalloc(&p, size_t{1} << 30) == cudaSuccess) {} while (cudaMalloc(&p, 1 << 20) == cudaSuccess) {}")
hostile("resets_the_device", "leftovers", NOT_PASSED, None, "", "cudaDeviceReset();")
hostile("frees_the_checks_memory", "other buffers", NOT_PASSED, None, "", "cudaFree(d_y); cudaFree(const_cast<float*>(d_x));")
hostile("writes_to_the_checks_own_memory", "other buffers", NOT_PASSED, None, "__global__ void all(float* p, long n) { for (long i = -n; i < n; ++i) p[i] = 1; }\n", "if (n > 0) all<<<1, 1>>>(d_y, 100000);")
hostile("lets_the_host_compute_through_mapped_memory", "the host computes", ("wrong", "too slow"), None,
        "__global__ void take(const float* from, float* to, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) to[i] = from[i]; }\n",
        "if (n == 0) return; static float *hx, *hy; cudaHostAlloc(&hx, n * 4, cudaHostAllocMapped); cudaHostAlloc(&hy, n * 4, cudaHostAllocMapped);"
        " take<<<(n + 255) / 256, 256>>>(d_x, hx, n); take<<<(n + 255) / 256, 256>>>(d_y, hy, n); cudaDeviceSynchronize(); for (int i = 0; i < n; ++i) hy[i] += a * hx[i];"
        " take<<<(n + 255) / 256, 256>>>(hy, d_y, n);", "none")
hostile("a_thread_works_from_the_start", "other threads", NOT_PASSED, None, "#include <thread>\n#include <chrono>\n__global__ void noise(float* p) { *p += 1; }\n"
        "static int early = (std::thread([] { float* p; cudaMalloc(&p, 4); for (;;) { noise<<<1, 1>>>(p); std::this_thread::sleep_for(std::chrono::milliseconds(1)); } }).detach(), 0);\n")
hostile("includes_in_assembler", "reading the reference", ("wrong", "did not compile"), None, 'asm(".include \\"/etc/passwd\\"");\n')
hostile("takes_a_file_by_a_word_in_two", "reading the reference", ("wrong", "did not compile"), None, 'asm(".inc" "bin \\"/etc/passwd\\"");\n')
hostile("says_it_is_another_file", "reading the reference", ("wrong", "did not compile"), None, '#line 1 "/etc/passwd"\nthis is an error;\n')
hostile("depends_on_another_file", "reading the reference", ("wrong", "did not compile"), None, '#pragma GCC dependency "/etc/passwd" this is an error\n#error here\n')
hostile("includes_itself", "compile-time attacks", "did not compile", None, "#include __FILE__\n")
hostile("warns_without_an_end", "compile-time attacks", ("did not compile", "wrong"), None, "#warning x\n" * 20000)
hostile("includes_what_never_ends", "compile-time attacks", ("did not compile", "wrong"), None, '#define Z "/dev/zero"\n#include Z\n')
