#include "trace/range_door.h"

namespace workbook::trace {

namespace {

std::string text(const char* from) {
  return from == nullptr ? std::string() : std::string(from);
}

}  // namespace

Event range_event(const wbRangeRecord& record) {
  Event event;
  event.kind = EventKind::range;
  event.phase = text(record.phase);
  event.name = text(record.name);
  event.domain = text(record.domain);
  event.category = record.category;
  event.category_name = text(record.category_name);
  event.color = record.color;
  event.registered = record.registered != 0;
  event.begun_by = record.begun_by;
  event.payload.type = text(record.payload_type);
  event.payload.integer = record.payload_integer;
  event.payload.natural = record.payload_natural;
  event.payload.real = record.payload_real;
  return event;
}

}  // namespace workbook::trace
