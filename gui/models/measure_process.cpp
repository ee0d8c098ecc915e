#include "gui/models/measure_process.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

namespace heddle::gui {
namespace {

constexpr int kPollMs = 150;
constexpr int kPatienceMs = 3000;  // of the destructor

const QStringList& stages() {
  static const QStringList kStages{"starting ranks", "calibrating", "checking data and memory",
                                   "measuring", "calibrating again"};
  return kStages;
}

}  // namespace

QStringList measure_arguments(const MeasureRequest& request) {
  QStringList all{"validate",  request.file,
                  "--case",    request.case_id,
                  "--backend", request.backend,
                  "--ranks",   QString::number(request.ranks),
                  "--scale",   QString::number(request.scale),
                  "--output",  request.output};
  for (const QString& set : request.sets) all << "--set" << set;
  return all;
}

QStringList measure_backends(const QString& program) {
  QStringList names;
  const QString prefix = "heddle-worker-";
  const QDir folder = QFileInfo(program).dir();
  for (const QString& name :
       folder.entryList({prefix + "*"}, QDir::Files | QDir::Executable, QDir::Name)) {
    names << name.mid(prefix.size());
  }
  return names;
}

MeasureProcess::MeasureProcess(QObject* parent) : QObject(parent) {
  child_.setStandardOutputFile(QProcess::nullDevice());
  poll_.setInterval(kPollMs);
  connect(&poll_, &QTimer::timeout, this, &MeasureProcess::read_journal);
  connect(&child_, &QProcess::readyReadStandardError, this, &MeasureProcess::read_messages);
  connect(&child_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    poll_.stop();
    read_messages();
    if (status == QProcess::CrashExit && !asked_to_end_) messages_ += "heddle validate crashed\n";
    Q_EMIT ended(code);
  });
  connect(&child_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    poll_.stop();
    messages_ += child_.program() + ": " + child_.errorString() + "\n";
    Q_EMIT ended(-1);
  });
}

MeasureProcess::~MeasureProcess() {
  child_.disconnect(this);
  if (!is_running()) return;
  child_.terminate();
  if (child_.waitForFinished(kPatienceMs)) return;
  child_.kill();
  child_.waitForFinished();
}

void MeasureProcess::start(const MeasureRequest& request) {
  if (is_running()) return;
  asked_to_end_ = false;
  stage_ = stages().front();
  messages_.clear();
  samples_ = 0;
  last_step_ = 0;
  journal_ = request.output + ".journal";
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  if (!request.home.isEmpty()) environment.insert("HEDDLE_HOME", request.home);
  child_.setProcessEnvironment(environment);
  poll_.start();
  child_.start(request.program, measure_arguments(request));
  Q_EMIT progressed();
}

void MeasureProcess::cancel() {
  if (!is_running()) return;
  if (asked_to_end_) {
    child_.kill();
  } else {
    asked_to_end_ = true;
    stage_ = "stopping";
    child_.terminate();
    Q_EMIT progressed();
  }
}

void MeasureProcess::read_messages() {
  for (const QByteArray& line : child_.readAllStandardError().split('\n')) {
    const QString text = QString::fromUtf8(line);
    const QString stage = text.mid(QString("heddle: ").size());
    if (text.startsWith("heddle: ") && stages().contains(stage)) {
      if (!asked_to_end_) stage_ = stage;
    } else if (!text.isEmpty()) {
      messages_ += text + "\n";
    }
  }
  Q_EMIT progressed();
}

/// Small, and written a line at a time: the last whole line is the newest sample.
void MeasureProcess::read_journal() {
  QFile journal(journal_);
  if (!journal.open(QIODevice::ReadOnly)) return;
  const QList<QByteArray> lines = journal.readAll().split('\n');
  const int whole = static_cast<int>(lines.size()) - 1;
  if (whole == samples_ || whole <= 0) return;
  samples_ = whole;
  last_step_ = QJsonDocument::fromJson(lines[whole - 1]).object()["step_s"].toDouble();
  Q_EMIT progressed();
}

}  // namespace heddle::gui
