#include "nvtx/hooks.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "nvtx/names.h"

namespace workbook::nvtx {

namespace {

wbRange_t the_sink = nullptr;

// --- the open ranges of push and pop: one stack per thread and domain ---

struct Open {
  const Domain* domain;
  std::uint64_t id;
};
thread_local std::vector<Open> open_ranges;

int depth_in(const Domain* domain) {
  int depth = 0;
  for (const Open& open : open_ranges) depth += open.domain == domain ? 1 : 0;
  return depth;
}

// --- what an event carries ---

struct Texts {
  std::string name, category;
};

wbRangeRecord fresh(const char* phase, const Domain* domain) {
  wbRangeRecord record{};
  record.size = sizeof record;
  record.phase = phase;
  record.domain = domain == nullptr ? nullptr : domain->name.c_str();
  return record;
}

void put_payload(wbRangeRecord& record, const nvtxEventAttributes_t& a) {
  switch (a.payloadType) {
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
      record.payload_type = "uint64";
      record.payload_natural = a.payload.ullValue;
      return;
    case NVTX_PAYLOAD_TYPE_INT64:
      record.payload_type = "int64";
      record.payload_integer = a.payload.llValue;
      return;
    case NVTX_PAYLOAD_TYPE_DOUBLE:
      record.payload_type = "double";
      record.payload_real = a.payload.dValue;
      return;
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
      record.payload_type = "uint32";
      record.payload_natural = a.payload.uiValue;
      return;
    case NVTX_PAYLOAD_TYPE_INT32:
      record.payload_type = "int32";
      record.payload_integer = a.payload.iValue;
      return;
    case NVTX_PAYLOAD_TYPE_FLOAT:
      record.payload_type = "float";
      record.payload_real = static_cast<double>(a.payload.fValue);
      return;
    default:
      return;
  }
}

std::string message(const nvtxEventAttributes_t& a) {
  switch (a.messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      return a.message.ascii == nullptr ? "" : a.message.ascii;
    case NVTX_MESSAGE_TYPE_UNICODE:
      return narrow(a.message.unicode);
    case NVTX_MESSAGE_TYPE_REGISTERED:
      return a.message.registered == nullptr
                 ? ""
                 : reinterpret_cast<const RegisteredText*>(a.message.registered)->text;
    default:
      return {};
  }
}

// Attributes whose version or size was forgotten hold nothing that could be trusted: the range stays, without
// a name, and says why.
std::uint64_t tell(const char* phase, const Domain* domain, const nvtxEventAttributes_t* a) {
  wbRangeRecord record = fresh(phase, domain);
  Texts texts;
  const bool usable = a != nullptr && a->size >= sizeof(nvtxEventAttributes_t) && a->version != 0;
  if (usable) {
    texts.name = message(*a);
    record.registered = a->messageType == NVTX_MESSAGE_TYPE_REGISTERED ? 1 : 0;
    record.category = a->category;
    if (a->category != 0) texts.category = Names::get().category_name(domain, a->category);
    record.color = a->colorType == NVTX_COLOR_ARGB ? a->color : 0;
    put_payload(record, *a);
  } else {
    texts.name = "(attributes without version and size)";
  }
  record.name = texts.name.c_str();
  record.category_name = texts.category.c_str();
  return the_sink(&record);
}

std::uint64_t tell_text(const char* phase, const Domain* domain, const char* text) {
  wbRangeRecord record = fresh(phase, domain);
  record.name = text;
  return the_sink(&record);
}

void tell_end(const char* phase, const Domain* domain, std::uint64_t begun_by) {
  wbRangeRecord record = fresh(phase, domain);
  record.begun_by = begun_by;
  the_sink(&record);
}

// --- push, pop, start, end, mark ---

int pushed(const Domain* domain, std::uint64_t id) {
  const int depth = depth_in(domain);
  open_ranges.push_back({domain, id});
  return depth;
}

int pop(const Domain* domain) {
  for (std::size_t i = open_ranges.size(); i-- > 0;) {
    if (open_ranges[i].domain != domain) continue;
    const std::uint64_t id = open_ranges[i].id;
    open_ranges.erase(open_ranges.begin() + static_cast<std::ptrdiff_t>(i));
    tell_end("pop", domain, id);
    return depth_in(domain);
  }
  tell_end("pop", domain, 0);  // a pop too many: kept, so that a check can say so
  return -1;
}

const Domain* of(nvtxDomainHandle_t handle) {
  return reinterpret_cast<const Domain*>(handle);
}

extern "C" {

void mark_ex(const nvtxEventAttributes_t* a) {
  tell("mark", nullptr, a);
}
void mark_a(const char* text) {
  tell_text("mark", nullptr, text);
}
void mark_w(const wchar_t* text) {
  tell_text("mark", nullptr, narrow(text).c_str());
}
nvtxRangeId_t start_ex(const nvtxEventAttributes_t* a) {
  return tell("start", nullptr, a);
}
nvtxRangeId_t start_a(const char* text) {
  return tell_text("start", nullptr, text);
}
nvtxRangeId_t start_w(const wchar_t* text) {
  return tell_text("start", nullptr, narrow(text).c_str());
}
void end(nvtxRangeId_t id) {
  tell_end("end", nullptr, id);
}
int push_ex(const nvtxEventAttributes_t* a) {
  return pushed(nullptr, tell("push", nullptr, a));
}
int push_a(const char* text) {
  return pushed(nullptr, tell_text("push", nullptr, text));
}
int push_w(const wchar_t* text) {
  return pushed(nullptr, tell_text("push", nullptr, narrow(text).c_str()));
}
int plain_pop() {
  return pop(nullptr);
}

void domain_mark(nvtxDomainHandle_t d, const nvtxEventAttributes_t* a) {
  tell("mark", of(d), a);
}
nvtxRangeId_t domain_start(nvtxDomainHandle_t d, const nvtxEventAttributes_t* a) {
  return tell("start", of(d), a);
}
void domain_end(nvtxDomainHandle_t d, nvtxRangeId_t id) {
  tell_end("end", of(d), id);
}
int domain_push(nvtxDomainHandle_t d, const nvtxEventAttributes_t* a) {
  return pushed(of(d), tell("push", of(d), a));
}
int domain_pop(nvtxDomainHandle_t d) {
  return pop(of(d));
}

void domain_name_category(nvtxDomainHandle_t d, std::uint32_t category, const char* name) {
  const std::string text = name == nullptr ? "" : name;
  Names::get().name_category(of(d), category, text);
  wbRangeRecord record = fresh("category", of(d));
  record.category = category;
  record.name = record.category_name = text.c_str();
  the_sink(&record);
}
void domain_name_category_w(nvtxDomainHandle_t d, std::uint32_t category, const wchar_t* name) {
  domain_name_category(d, category, narrow(name).c_str());
}
void name_category(std::uint32_t category, const char* name) {
  domain_name_category(nullptr, category, name);
}
void name_category_w(std::uint32_t category, const wchar_t* name) {
  domain_name_category_w(nullptr, category, name);
}

nvtxStringHandle_t register_string(nvtxDomainHandle_t d, const char* text) {
  bool is_new = false;
  const RegisteredText* const handle = Names::get().text(of(d), text == nullptr ? "" : text, is_new);
  tell_text("string", of(d), handle->text.c_str());
  return reinterpret_cast<nvtxStringHandle_t>(const_cast<RegisteredText*>(handle));
}
nvtxStringHandle_t register_string_w(nvtxDomainHandle_t d, const wchar_t* text) {
  return register_string(d, narrow(text).c_str());
}

nvtxDomainHandle_t create_domain(const char* name) {
  bool is_new = false;
  const Domain* const handle = Names::get().domain(name == nullptr ? "" : name, is_new);
  if (is_new) tell_text("domain", handle, handle->name.c_str());
  return reinterpret_cast<nvtxDomainHandle_t>(const_cast<Domain*>(handle));
}
nvtxDomainHandle_t create_domain_w(const wchar_t* name) {
  return create_domain(narrow(name).c_str());
}
void destroy_domain(nvtxDomainHandle_t) {}

nvtxResourceHandle_t create_resource(nvtxDomainHandle_t d, nvtxResourceAttributes_t*) {
  static char any;  // resources are not shown; a handle must not be null
  return d == nullptr ? reinterpret_cast<nvtxResourceHandle_t>(&any)
                      : reinterpret_cast<nvtxResourceHandle_t>(d);
}
void destroy_resource(nvtxResourceHandle_t) {}

}  // extern "C"

// --- the tables ---

class Table {
 public:
  Table(const NvtxExportTableCallbacks* from, NvtxCallbackModule module) {
    if (from->GetModuleFunctionTable(module, &entries_, &size_) == 0) size_ = 0;
  }
  // An entry that this program's headers do not have yet is left out.
  template <class Function>
  void set(unsigned index, Function function) {
    if (index < size_ && entries_[index] != nullptr)
      *entries_[index] = reinterpret_cast<NvtxFunctionPointer>(function);
  }

 private:
  NvtxFunctionTable entries_ = nullptr;
  unsigned size_ = 0;
};

void fill_core(Table table) {
  table.set(NVTX_CBID_CORE_MarkEx, mark_ex);
  table.set(NVTX_CBID_CORE_MarkA, mark_a);
  table.set(NVTX_CBID_CORE_MarkW, mark_w);
  table.set(NVTX_CBID_CORE_RangeStartEx, start_ex);
  table.set(NVTX_CBID_CORE_RangeStartA, start_a);
  table.set(NVTX_CBID_CORE_RangeStartW, start_w);
  table.set(NVTX_CBID_CORE_RangeEnd, end);
  table.set(NVTX_CBID_CORE_RangePushEx, push_ex);
  table.set(NVTX_CBID_CORE_RangePushA, push_a);
  table.set(NVTX_CBID_CORE_RangePushW, push_w);
  table.set(NVTX_CBID_CORE_RangePop, plain_pop);
  table.set(NVTX_CBID_CORE_NameCategoryA, name_category);
  table.set(NVTX_CBID_CORE_NameCategoryW, name_category_w);
}

void fill_domains(Table table) {
  table.set(NVTX_CBID_CORE2_DomainMarkEx, domain_mark);
  table.set(NVTX_CBID_CORE2_DomainRangeStartEx, domain_start);
  table.set(NVTX_CBID_CORE2_DomainRangeEnd, domain_end);
  table.set(NVTX_CBID_CORE2_DomainRangePushEx, domain_push);
  table.set(NVTX_CBID_CORE2_DomainRangePop, domain_pop);
  table.set(NVTX_CBID_CORE2_DomainResourceCreate, create_resource);
  table.set(NVTX_CBID_CORE2_DomainResourceDestroy, destroy_resource);
  table.set(NVTX_CBID_CORE2_DomainNameCategoryA, domain_name_category);
  table.set(NVTX_CBID_CORE2_DomainNameCategoryW, domain_name_category_w);
  table.set(NVTX_CBID_CORE2_DomainRegisterStringA, register_string);
  table.set(NVTX_CBID_CORE2_DomainRegisterStringW, register_string_w);
  table.set(NVTX_CBID_CORE2_DomainCreateA, create_domain);
  table.set(NVTX_CBID_CORE2_DomainCreateW, create_domain_w);
  table.set(NVTX_CBID_CORE2_DomainDestroy, destroy_domain);
}

}  // namespace

int attach(NvtxGetExportTableFunc_t get_table, wbRange_t sink) {
  const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  if (callbacks == nullptr || callbacks->struct_size < sizeof *callbacks || sink == nullptr) return 0;
  the_sink = sink;
  fill_core(Table(callbacks, NVTX_CB_MODULE_CORE));
  fill_domains(Table(callbacks, NVTX_CB_MODULE_CORE2));
  return 1;
}

}  // namespace workbook::nvtx
