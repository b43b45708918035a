#include <cstdlib>
void operator delete(void* pointer) noexcept {
  std::free(pointer);
}
