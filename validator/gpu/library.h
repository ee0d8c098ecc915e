#pragma once
// A shared library found at run time. What is missing is told, never linked: the program starts
// without any of them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::gpu {

class Library {
 public:
  Library() = default;
  /// The first of `names` that the system's loader finds, then one in `folders`. Not there: open()
  /// is false and problem() says what was looked for and where.
  Library(std::span<const std::string_view> names, std::span<const std::string> folders);

  bool open() const { return handle_ != nullptr; }
  const std::string& problem() const { return problem_; }
  /// Sets `function` to the symbol; notes its name if there is none.
  template <typename Function>
  void find(const char* symbol, Function*& function) {
    function = reinterpret_cast<Function*>(address_of(symbol));
  }

 private:
  void* address_of(const char* symbol);

  void* handle_ = nullptr;  // never closed: CUDA's libraries do not bear it
  std::string name_;
  std::string problem_;
};

/// Where CUDA's libraries may lie beside the loader's own places: under CUDA_HOME and CUDA_PATH,
/// and where their packages put them.
std::vector<std::string> cuda_folders();

}  // namespace heddle::gpu
