#include "gui/models/edit_journal.h"

#include <QDir>
#include <QFile>
#include <optional>
#include <utility>

#include "sim/base/diagnostics.h"
#include "sim/base/error.h"
#include "sim/io/file.h"
#include "sim/io/json_document.h"
#include "sim/io/json_writer.h"
#include "sim/io/object_reader.h"

namespace heddle::gui {
namespace {

constexpr const char* kSchema = "heddle.edits/1";
constexpr const char* kPattern = "edits-*.json";
constexpr int kMostJournals = 100;  // of programs at once, and left by crashes

/// Nullptr while its program runs. Only a dead process makes a lock stale, however old it is.
std::unique_ptr<QLockFile> lock_of(const QString& journal) {
  auto lock = std::make_unique<QLockFile>(journal + ".lock");
  lock->setStaleLockTime(0);
  return lock->tryLock(0) ? std::move(lock) : nullptr;
}

std::string text_of(const std::string& file, const Edits& edits) {
  io::JsonWriter w;
  w.begin_object().field("schema", kSchema).field("file", file).key("edits").begin_array();
  for (const auto& [path, value] : edits) {
    w.begin_object().inline_from_here().field("path", path).field("value", value).end_object();
  }
  w.end_array().end_object();
  return w.take();
}

std::string text_field(io::ObjectReader& object, std::string_view key, Diagnostics& out) {
  const auto value = object.required(key);
  return value ? value->as_string(out).value_or("") : "";
}

std::optional<LostEdits> read_journal(const QString& path) {
  Diagnostics out;
  const std::string file = path.toStdString();
  const auto document = io::JsonDocument::parse(io::read_file(file), file, out);
  if (!document) return std::nullopt;
  LostEdits lost{path, "", {}};
  io::ObjectReader fields(document->root(), out);
  const bool known = text_field(fields, "schema", out) == kSchema;
  lost.file = text_field(fields, "file", out);
  if (const auto list = fields.required("edits")) {
    for (const io::Value& item : list->items(out)) {
      io::ObjectReader edit(item, out);
      std::string where = text_field(edit, "path", out);
      lost.edits.emplace_back(std::move(where), text_field(edit, "value", out));
    }
  }
  if (!known || out.has_errors() || lost.edits.empty()) return std::nullopt;
  return lost;
}

}  // namespace

EditJournal::EditJournal(const QString& folder) {
  if (folder.isEmpty() || !QDir().mkpath(folder)) return;
  for (int n = 1; n <= kMostJournals; ++n) {
    const QString path = QDir(folder).filePath(QString("edits-%1.json").arg(n));
    auto lock = lock_of(path);
    if (!lock || QFile::exists(path)) continue;  // somebody's, or left behind
    path_ = path;
    lock_ = std::move(lock);
    return;
  }
}

EditJournal::~EditJournal() {
  if (!path_.isEmpty()) QFile::remove(path_);
}

std::string EditJournal::keep(const std::string& file, const Edits& edits) {
  if (path_.isEmpty()) return "";
  if (edits.empty()) {
    QFile::remove(path_);
    return "";
  }
  try {
    io::write_file(path_.toStdString(), text_of(file, edits));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<LostEdits> find_lost_edits(const QString& folder) {
  std::vector<LostEdits> found;
  if (folder.isEmpty()) return found;
  const QDir dir(folder);
  for (const QString& name : dir.entryList({kPattern}, QDir::Files, QDir::Time | QDir::Reversed)) {
    const QString path = dir.filePath(name);
    if (!lock_of(path)) continue;
    try {
      if (auto lost = read_journal(path)) found.push_back(std::move(*lost));
    } catch (const Error&) {
      continue;
    }
  }
  return found;
}

void discard(const LostEdits& lost) {
  QFile::remove(lost.journal);
}

}  // namespace heddle::gui
