#pragma once
// Stream sockets on one machine, as values that close themselves.

#include <optional>
#include <string>
#include <string_view>

namespace heddle::worker {

class Socket {
 public:
  Socket() = default;
  explicit Socket(int handle) : handle_(handle) {}
  Socket(Socket&& other) noexcept : handle_(other.handle_) { other.handle_ = -1; }
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();

  bool is_open() const { return handle_ >= 0; }
  int handle() const { return handle_; }
  void close();
  /// False once the other side is gone.
  bool send(std::string_view bytes) const;
  /// What is there, at most 1 MiB, waiting for the first byte; "" at the end; nullopt on an error.
  std::optional<std::string> receive() const;

 private:
  int handle_ = -1;
};

/// Not open if nobody listens there.
Socket connect_to(const std::string& path);
/// Error(kCannotWrite) if the path cannot be bound.
Socket listen_at(const std::string& path);
Socket accept_from(const Socket& listener);

}  // namespace heddle::worker
