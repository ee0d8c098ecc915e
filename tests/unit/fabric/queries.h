#pragma once
// Questions by name, for tests.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "sim/fabric/fabric_builder.h"

namespace heddle::fabric {

inline Fabric freeze(FabricBuilder builder) {
  Diagnostics out;
  auto fabric = std::move(builder).freeze("test", out);
  for (const Diagnostic& d : out.all()) ADD_FAILURE() << d.message;
  return std::move(fabric).value();
}

inline DeviceId by_name(const Fabric& f, const std::string& name) {
  for (std::size_t i = 0; i < f.devices().size(); ++i) {
    if (f.devices()[i].name == name) return DeviceId(i);
  }
  ADD_FAILURE() << "no device " << name;
  return {};
}

/// The devices that links pass: "gpu0 pcie0 gpu1"; "" for none.
template <typename Links>
std::string visits(const Fabric& f, const Links& links) {
  std::string text;
  for (const LinkId id : links) {
    if (text.empty()) text = f.device(f.link(id).from).name;
    text += " " + f.device(f.link(id).to).name;
  }
  return text;
}

inline std::string visits(const Fabric& f, const std::string& from, const std::string& to,
                          RouteKind kind) {
  return visits(f, f.route(by_name(f, from), by_name(f, to), kind));
}

inline std::string_view type(const Fabric& f, const std::string& a, const std::string& b) {
  return to_string(f.path_type(by_name(f, a), by_name(f, b)));
}

}  // namespace heddle::fabric
