#pragma once
// An answer as one page that needs nothing else: the table of `heddle run`, a picture of a view,
// the command that prints it, what was assumed.

#include <string>

namespace heddle::gui {

class Document;

/// `picture` as a data: address of an image, `view` its name. Needs results.
std::string html_report(const Document& document, const std::string& view,
                        const std::string& picture);

}  // namespace heddle::gui
