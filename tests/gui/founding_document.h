#pragma once
// A document on a scenario of this repository, run to its end.

#include <QEventLoop>
#include <QTimer>
#include <memory>
#include <string>

#include "gui/models/document.h"
#include "hw_models/catalog.h"

namespace heddle::test {

/// Until the running job has ended; false after a minute.
inline bool wait_for_run(gui::Document& document) {
  QEventLoop loop;
  QObject::connect(&document, &gui::Document::run_ended, &loop, &QEventLoop::quit);
  QTimer::singleShot(60'000, &loop, &QEventLoop::quit);
  if (document.is_running()) loop.exec();
  return !document.is_running();
}

inline std::string source_path(const std::string& name) {
  return std::string(HEDDLE_SOURCE_DIR) + "/" + name;
}

class FoundingDocument {
 public:
  explicit FoundingDocument(const std::string& scenario = "") {
    if (scenario.empty()) return;
    document.open(source_path("scenarios/" + scenario));
    wait_for_run(document);
  }

 private:
  std::unique_ptr<run::HardwareCatalog> catalog_ =
      hw_models::open_catalog(source_path("hw_models"));

 public:
  gui::Document document{*catalog_};
};

}  // namespace heddle::test
