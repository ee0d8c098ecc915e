#include "gui/models/html_report.h"

#include <fmt/format.h>

#include <QString>

#include "gui/models/document.h"
#include "gui/models/result_table.h"
#include "sim/cli/run_table.h"

namespace heddle::gui {
namespace {

constexpr const char* kStyle = R"(
body{font:14px/1.5 "Open Sans",sans-serif;color:#1c2128;background:#fff;margin:32px;max-width:1400px}
table{border-collapse:collapse;margin:16px 0}td,th{padding:3px 12px;text-align:right;font-weight:400}
th{color:#586271;border-bottom:1px solid #d5dae1;white-space:pre-line;vertical-align:bottom}
td:first-child,th:first-child{text-align:left}tr.fabric td{text-align:left;font-weight:600;padding-top:12px}
img{max-width:100%;border:1px solid #d5dae1}pre{background:#f1f3f6;padding:10px;overflow:auto}
)";

std::string escaped(const QString& text) {
  return text.toHtmlEscaped().toStdString();
}

bool is_bar(int column) {
  return column == ResultTable::kTimeBar || column == ResultTable::kMemoryBar;
}

std::string table_of(const Document& document) {
  ResultTable table;
  table.set_results(document.results(), document.pinned());
  std::string text = "<table>\n<tr>";
  for (int c = 0; c < table.columnCount(); ++c) {
    if (is_bar(c)) continue;
    text +=
        "<th>" + escaped(table.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString()) + "</th>";
  }
  text += "</tr>\n";
  for (int row = 0; row < table.rowCount(); ++row) {
    if (table.is_group(row)) {
      text += fmt::format("<tr class=\"fabric\"><td colspan=\"{}\">{}</td></tr>\n",
                          table.columnCount() - 2, escaped(table.index(row, 0).data().toString()));
      continue;
    }
    text += "<tr>";
    for (int c = 0; c < table.columnCount(); ++c) {
      if (!is_bar(c)) text += "<td>" + escaped(table.index(row, c).data().toString()) + "</td>";
    }
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

}  // namespace

std::string html_report(const Document& document, const std::string& view,
                        const std::string& picture) {
  const run::Study& study = document.results()->study;
  const QString name = QString::fromStdString(study.scenario().name);
  const QString about = QString::fromStdString(cli::heading(study)).trimmed();
  std::string text = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
                     escaped(name) + "</title><style>" + kStyle + "</style></head><body>\n";
  text += "<h1>" + escaped(name) + "</h1>\n<p>" + escaped(about) + "</p>\n";
  text += table_of(document);
  text += "<p>" + escaped(QString::fromStdString(view)) + " of " +
          escaped(QString::fromStdString(document.results()->cases[document.chosen()].case_id)) +
          "</p>\n<p><img alt=\"" + escaped(QString::fromStdString(view)) + "\" src=\"" + picture +
          "\"></p>\n";
  text += "<pre>" + escaped(QString::fromStdString(document.command_line())) + "\nfingerprint " +
          study.fingerprint() + "</pre>\n";
  return text + "</body></html>\n";
}

}  // namespace heddle::gui
