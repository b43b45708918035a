// wrong: fills in C attributes, and forgets their version and size
// verdict: wrong
// code: no_range
// message: which version and size they have
#include <chrono>
#include <cstdint>
#include <nvtx3/nvToolsExt.h>
#include <thread>
#include <vector>

// Two steps of a loader: bytes from a slow disk, and numbers out of the bytes. Given.
inline std::vector<unsigned char> read_batch(const unsigned char* disk, int batch, int size) {
  std::this_thread::sleep_for(std::chrono::microseconds(200));
  return std::vector<unsigned char>(disk + batch * size, disk + (batch + 1) * size);
}
inline void decode_batch(const std::vector<unsigned char>& bytes, float* to) {
  std::this_thread::sleep_for(std::chrono::microseconds(100));
  for (const unsigned char byte : bytes) *to++ = byte / 255.0f;
}

static nvtxEventAttributes_t attributes(nvtxStringHandle_t text, std::uint32_t category, int batch) {
  nvtxEventAttributes_t a{};
  a.category = category;
  a.payloadType = NVTX_PAYLOAD_TYPE_INT64;
  a.payload.llValue = batch;
  a.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  a.message.registered = text;
  return a;
}

// Loads batch 0, 1, ... of `size` numbers each from the disk.
//
// Each step of each batch is a range in the domain "workbook.loader": "read" in the category "reading", and
// "decode" in the category "decoding". Both texts are registered strings. The payload is the number of the
// batch, as int64. Categories are named once, and strings registered once, however many batches there are.
void load_batches(const unsigned char* disk, float* out, int batches, int size) {
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("workbook.loader");
  const nvtxStringHandle_t read = nvtxDomainRegisterStringA(domain, "read");
  const nvtxStringHandle_t decode = nvtxDomainRegisterStringA(domain, "decode");
  nvtxDomainNameCategoryA(domain, 1, "reading");
  nvtxDomainNameCategoryA(domain, 2, "decoding");
  for (int b = 0; b < batches; ++b) {
    const nvtxEventAttributes_t reading = attributes(read, 1, b), decoding = attributes(decode, 2, b);
    nvtxDomainRangePushEx(domain, &reading);
    const std::vector<unsigned char> bytes = read_batch(disk, b, size);
    nvtxDomainRangePop(domain);
    nvtxDomainRangePushEx(domain, &decoding);
    decode_batch(bytes, out + b * size);
    nvtxDomainRangePop(domain);
  }
}
