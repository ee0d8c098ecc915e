#include "gui/views/export.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include "gui/models/document.h"
#include "gui/models/html_report.h"
#include "sim/io/result_writer.h"
#include "sim/io/trace_writer.h"

namespace heddle::gui {
namespace {

QByteArray png_of(QWidget& view, double scale) {
  QImage image(view.size() * scale, QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  view.render(&image);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes;
}

QByteArray svg_of(QWidget& view, const QString& title) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator svg;
  svg.setOutputDevice(&buffer);
  svg.setSize(view.size());
  svg.setViewBox(QRect(QPoint(), view.size()));
  svg.setTitle(title);
  QPainter painter(&svg);
  view.render(&painter);
  painter.end();
  return bytes;
}

QByteArray pdf_of(QWidget& view, const QString& title) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter pdf(&buffer);
  constexpr double kPointsPerPixel = 0.75;
  pdf.setTitle(title);
  pdf.setResolution(96);
  pdf.setPageSize(QPageSize(QSizeF(view.size()) * kPointsPerPixel, QPageSize::Point));
  pdf.setPageMargins({});
  QPainter painter(&pdf);
  view.render(&painter);
  painter.end();
  return bytes;
}

/// Empty if there is no such kind of file.
QByteArray content(const QString& file, QWidget& view, const Document& document, double scale) {
  const Results& results = *document.results();
  const QString title = QString::fromStdString(results.cases[document.chosen()].case_id);
  if (file.endsWith(".png")) return png_of(view, scale);
  if (file.endsWith(".svg")) return svg_of(view, title);
  if (file.endsWith(".pdf")) return pdf_of(view, title);
  if (file.endsWith(".html")) {
    const std::string picture =
        "data:image/png;base64," + png_of(view, scale).toBase64().toStdString();
    return QByteArray::fromStdString(
        html_report(document, view.accessibleName().toStdString(), picture));
  }
  if (file.endsWith(".csv")) return QByteArray::fromStdString(io::write_result_csv(results.cases));
  if (file.endsWith(".trace.json")) {
    return QByteArray::fromStdString(
        io::write_trace(results.study, results.cases[document.chosen()]));
  }
  if (file.endsWith(".json")) {
    return QByteArray::fromStdString(io::write_result_json(
        results.study.scenario(), results.study.fingerprint(), results.cases));
  }
  return {};
}

}  // namespace

QString export_filters() {
  return "Picture (*.png);;Drawing (*.svg);;Document (*.pdf);;Table of all cases (*.csv);;"
         "Results (*.json);;Page with table and picture (*.html);;"
         "Trace of the case shown (*.trace.json)";
}

QString export_file(const QString& file, QWidget& view, const Document& document, double scale) {
  if (!document.results()) return "nothing to export: no answer yet";
  const QByteArray bytes = content(file, view, document, scale);
  if (bytes.isEmpty()) {
    return file + ": end the name in .png, .svg, .pdf, .html, .csv, .json or .trace.json";
  }
  QSaveFile out(file);
  const bool written =
      out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit();
  return written ? "" : file + ": cannot write: " + out.errorString();
}

}  // namespace heddle::gui
