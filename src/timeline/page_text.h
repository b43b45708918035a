// The files of src/timeline/page as text, put into the program by CMake.
#pragma once

#include <string_view>

namespace workbook::timeline {

extern const std::string_view page_html, page_css, page_js;

}  // namespace workbook::timeline
