#pragma once
// Pictures of a view and files of an answer, by the ending of the file's name. Written beside and
// renamed: never half a file.

#include <QString>
#include <QWidget>

namespace heddle::gui {

class Document;

/// "PNG (*.png);;...": what export_file() writes, for a file dialog.
QString export_filters();
/// .png at `scale`, .svg, .pdf and, with the table, .html of `view`; .csv and .json of all cases,
/// .trace.json of the chosen one, as `heddle run` writes them. What went wrong, or "".
QString export_file(const QString& file, QWidget& view, const Document& document, double scale = 2);

}  // namespace heddle::gui
