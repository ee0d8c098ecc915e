#include "validator/gpu/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

namespace heddle::gpu {

Library::Library(std::span<const std::string_view> names, std::span<const std::string> folders) {
  std::vector<std::string> paths;
  for (const std::string_view name : names) paths.emplace_back(name);
  for (const std::string& folder : folders) {
    for (const std::string_view name : names) paths.push_back(fmt::format("{}/{}", folder, name));
  }
  for (const std::string& path : paths) {
    handle_ = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (handle_ == nullptr) continue;
    name_ = path;
    return;
  }
  const char* more = std::getenv("LD_LIBRARY_PATH");
  problem_ =
      fmt::format("no {} in the loader's folders, LD_LIBRARY_PATH ({}), {}", fmt::join(names, ", "),
                  more == nullptr ? "not set" : more, fmt::join(folders, ", "));
}

void* Library::address_of(const char* symbol) {
  if (handle_ == nullptr) return nullptr;
  void* address = dlsym(handle_, symbol);
  if (address == nullptr) {
    problem_ += fmt::format("{}{} has no {}", problem_.empty() ? "" : "; ", name_, symbol);
  }
  return address;
}

std::vector<std::string> cuda_folders() {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* root = std::getenv(variable);
    if (root == nullptr || *root == '\0') continue;
    folders.push_back(fmt::format("{}/lib64", root));
    folders.push_back(fmt::format("{}/lib", root));
  }
  for (const char* usual : {"/usr/local/cuda/lib64", "/usr/local/cuda/lib"}) {
    const bool known = std::find(folders.begin(), folders.end(), usual) != folders.end();
    if (!known) folders.emplace_back(usual);
  }
  return folders;
}

}  // namespace heddle::gpu
