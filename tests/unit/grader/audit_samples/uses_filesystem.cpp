// Removes what is not its own.
#include <filesystem>
void clear(const char* folder) {
  std::filesystem::remove_all(folder);
}
