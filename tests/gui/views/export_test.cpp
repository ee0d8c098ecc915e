#include "gui/views/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <set>

#include "gui/views/strategies_view.h"
#include "tests/gui/views/founding_window.h"
#include "tests/support/whole_program.h"

namespace heddle::gui {
namespace {

using testing::HasSubstr;

class Export : public testing::Test {
 protected:
  QByteArray written(const QString& name, QWidget& view, double scale = 2) {
    const QString file = folder_.filePath(name);
    EXPECT_EQ(export_file(file, view, founding_.document, scale).toStdString(), "");
    QFile in(file);
    EXPECT_TRUE(in.open(QIODevice::ReadOnly));
    return in.readAll();
  }
  QWidget& view() { return *founding_.window.findChild<StrategiesView*>(); }

  QTemporaryDir folder_;
  test::FoundingWindow founding_{"mistral-7b-4xa100.json"};
};

TEST_F(Export, PicturesHaveTheViewsSizeAndSomethingOnThem) {
  for (const int scale : {1, 2, 4}) {
    const QImage image = QImage::fromData(written("view.png", view(), scale));
    EXPECT_EQ(image.size(), view().size() * scale);
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); y += 3) {
      for (int x = 0; x < image.width(); x += 3) colours.insert(image.pixel(x, y));
    }
    EXPECT_GT(colours.size(), 20U);
  }
}

TEST_F(Export, DrawingsAreWellFormedAndSayWhatTheyShow) {
  QXmlStreamReader xml(written("view.svg", view()));
  QString text;
  while (!xml.atEnd()) {
    if (xml.readNext() == QXmlStreamReader::Characters) text += xml.text();
  }
  EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
  EXPECT_THAT(text.toStdString(), HasSubstr("a100/ddp"));      // the title
  EXPECT_THAT(text.toStdString(), HasSubstr("exposed comm"));  // the legend
  EXPECT_THAT(text.toStdString(), HasSubstr("GB"));            // a unit
}

TEST_F(Export, DocumentsArePdf) {
  EXPECT_TRUE(written("view.pdf", view()).startsWith("%PDF"));
}

/// The page holds the figures of the command and asks nobody for anything.
TEST_F(Export, PagesNeedNothingElse) {
  const std::string page = written("all.html", view()).toStdString();
  EXPECT_THAT(page, HasSubstr("<td>ddp</td>"));
  EXPECT_THAT(page, HasSubstr(founding_.document.results()->study.fingerprint()));
  EXPECT_THAT(page, HasSubstr("src=\"data:image/png;base64,iVBOR"));
  for (const char* reference : {"http:", "https:", "<script", "@import", "url("}) {
    EXPECT_THAT(page, testing::Not(HasSubstr(reference)));
  }
}

TEST_F(Export, FilesAreThoseOfTheCommandLine) {
  const std::string file = test::source_path("scenarios/mistral-7b-4xa100.json");
  EXPECT_EQ(written("all.csv", view()).toStdString(),
            test::heddle({"run", file, "--format", "csv"}).out);
  EXPECT_EQ(written("all.json", view()).toStdString(),
            test::heddle({"run", file, "--format", "json"}).out);
  EXPECT_TRUE(written("one.trace.json", view()).startsWith("{\"displayTimeUnit\""));
}

TEST_F(Export, OtherEndingsAndFoldersThatAreNotThereAreRefused) {
  EXPECT_THAT(export_file(folder_.filePath("view.bmp"), view(), founding_.document).toStdString(),
              HasSubstr(".png"));
  const QString nowhere = folder_.filePath("no/such/folder.png");
  EXPECT_THAT(export_file(nowhere, view(), founding_.document).toStdString(),
              HasSubstr("cannot write"));
}

}  // namespace
}  // namespace heddle::gui
