#include "validator/worker/socket.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "sim/base/error.h"

namespace heddle::worker {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 20;

/// nullopt if the path is longer than the system takes.
std::optional<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::nullopt;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

}  // namespace

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

Socket::~Socket() {
  close();
}

void Socket::close() {
  if (handle_ >= 0) ::close(handle_);
  handle_ = -1;
}

bool Socket::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(handle_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::optional<std::string> Socket::receive() const {
  std::string bytes(kMostAtOnce, '\0');
  while (true) {
    const ssize_t got = ::recv(handle_, bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    bytes.resize(static_cast<std::size_t>(got));
    return bytes;
  }
}

Socket connect_to(const std::string& path) {
  const auto address = address_of(path);
  Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!address || !socket.is_open()) return {};
  const auto* where = reinterpret_cast<const sockaddr*>(&*address);
  if (::connect(socket.handle(), where, sizeof *address) != 0) return {};
  return socket;
}

Socket listen_at(const std::string& path) {
  const auto address = address_of(path);
  Socket socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (address && socket.is_open()) {
    const auto* where = reinterpret_cast<const sockaddr*>(&*address);
    const bool bound = ::bind(socket.handle(), where, sizeof *address) == 0;
    if (bound && ::listen(socket.handle(), 1024) == 0) return socket;
  }
  throw Error(ErrorKind::kCannotWrite,
              fmt::format("cannot listen at {}: {}", path,
                          address ? std::strerror(errno) : "path too long"));
}

Socket accept_from(const Socket& listener) {
  return Socket(::accept4(listener.handle(), nullptr, nullptr, SOCK_CLOEXEC));
}

}  // namespace heddle::worker
