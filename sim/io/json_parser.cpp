#include "sim/io/json_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/io/json_document.h"

namespace heddle::io {
namespace {

/// How far the lexer has read, shared by the copies of its iterator.
class ReadPosition {
 public:
  explicit ReadPosition(std::string_view text) : next_(text.begin()), counted_(text.begin()) {}
  void move_to(std::string_view::const_iterator next) { next_ = next; }
  /// Line of the token just read. The lexer looks one character past a number, so the last
  /// character read never counts; no other token ends in a line break.
  int line() {
    if (next_ == counted_) return line_;
    const auto last = std::prev(next_);
    line_ += static_cast<int>(std::count(counted_, last, '\n'));
    counted_ = last;
    return line_;
  }

 private:
  std::string_view::const_iterator next_;
  std::string_view::const_iterator counted_;
  int line_ = 1;
};

/// Iterates over the text and leaves its trace in a ReadPosition.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(std::string_view::const_iterator at, ReadPosition* position)
      : at_(at), position_(position) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    position_->move_to(++at_);
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  std::string_view::const_iterator at_;
  ReadPosition* position_;
};

/// nlohmann's message without its prefixes "[json.exception...] parse error at line 1, column 2: ".
std::string plain_reason(std::string_view what) {
  const std::size_t colon = what.find(": ", what.find("column"));
  if (colon != std::string_view::npos) what.remove_prefix(colon + 2);
  const std::size_t bracket = what.find("] ");
  if (what.starts_with("[json.") && bracket != std::string_view::npos) {
    what.remove_prefix(bracket + 2);
  }
  constexpr std::size_t kLongest = 200;  // the rest only repeats a long token
  what = what.substr(0, kLongest);
  const std::size_t last = what.find_last_not_of("; ");  // what followed was cut off
  return std::string(what.substr(0, last + 1));
}

constexpr char kSmaller[] = "give a smaller number";

/// Receives nlohmann's SAX events and builds the tree.
class TreeBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  TreeBuilder(ReadPosition* position, const std::string& file, Diagnostics& out)
      : position_(position), file_(file), out_(out) {}

  bool null() { return place(make(JsonKind::kNull)); }
  bool boolean(bool value);
  bool number_integer(number_integer_t value);
  bool number_unsigned(number_unsigned_t value);
  bool number_float(number_float_t value, const string_t& text);
  bool string(string_t& value);
  bool binary(binary_t&) { return false; }  // not a JSON text event
  bool start_object(std::size_t) { return open(JsonKind::kObject); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(JsonKind::kArray); }
  bool end_array() { return close(); }
  bool key(string_t& name);
  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception& error);

  JsonNode take_root() { return std::move(root_); }

 private:
  struct Frame {
    JsonNode node;
    std::map<std::string, int> line_of_key;
  };

  JsonNode make(JsonKind kind) {
    JsonNode node;
    node.kind = kind;
    node.line = position_->line();
    return node;
  }
  bool place(JsonNode node);
  bool open(JsonKind kind);
  bool close();
  /// Pointer of the value about to be placed.
  std::string pointer() const;
  void error(std::string code, std::string message, std::string hint) {
    out_.error(std::move(code), file_, pointer(), position_->line(), std::move(message),
               std::move(hint));
  }

  ReadPosition* position_;
  const std::string& file_;
  Diagnostics& out_;
  std::vector<Frame> open_;
  JsonNode root_;
  std::size_t values_ = 0;
};

bool TreeBuilder::boolean(bool value) {
  JsonNode node = make(JsonKind::kBool);
  node.boolean = value;
  return place(std::move(node));
}

bool TreeBuilder::number_integer(number_integer_t value) {
  JsonNode node = make(JsonKind::kInteger);
  node.integer = value;
  return place(std::move(node));
}

bool TreeBuilder::number_unsigned(number_unsigned_t value) {
  if (!std::in_range<std::int64_t>(value)) {
    error("json-number", fmt::format("{} does not fit 64 bits with sign", value), kSmaller);
    value = 0;
  }
  return number_integer(static_cast<number_integer_t>(value));
}

bool TreeBuilder::number_float(number_float_t value, const string_t& text) {
  if (text.find_first_of(".eE") == string_t::npos) {
    error("json-number", fmt::format("{:.40} does not fit 64 bits", text), kSmaller);
  }
  JsonNode node = make(JsonKind::kReal);
  node.real = value;
  return place(std::move(node));
}

bool TreeBuilder::string(string_t& value) {
  JsonNode node = make(JsonKind::kString);
  node.text = std::move(value);
  return place(std::move(node));
}

bool TreeBuilder::key(string_t& name) {
  Frame& frame = open_.back();
  const auto [first, fresh] = frame.line_of_key.emplace(name, position_->line());
  frame.node.keys.push_back(std::move(name));
  if (!fresh) {
    error("json-duplicate-key",
          fmt::format("key \"{}\" is given twice, first on line {}", first->first, first->second),
          "keep one of the two");
  }
  return true;
}

bool TreeBuilder::place(JsonNode node) {
  if (++values_ > kMaxJsonValues) {
    error("json-too-large", fmt::format("more than {} values", kMaxJsonValues),
          "is this the right file? split it or leave out what is not needed");
    return false;
  }
  if (open_.empty()) {
    root_ = std::move(node);
  } else {
    open_.back().node.children.push_back(std::move(node));
  }
  return true;
}

bool TreeBuilder::open(JsonKind kind) {
  if (open_.size() == kMaxJsonDepth) {
    error("json-depth", fmt::format("nested deeper than {} levels", kMaxJsonDepth),
          "is this the right file? nothing read here is nested like that");
    return false;
  }
  open_.push_back({make(kind), {}});
  return true;
}

bool TreeBuilder::close() {
  JsonNode node = std::move(open_.back().node);
  open_.pop_back();
  return place(std::move(node));
}

std::string TreeBuilder::pointer() const {
  std::string out;
  for (const Frame& frame : open_) {
    const JsonNode& node = frame.node;
    if (node.kind == JsonKind::kArray) {
      out += fmt::format("/{}", node.children.size());
    } else if (node.keys.size() > node.children.size()) {
      out += pointer_token(node.keys.back());
    }
  }
  return out;
}

bool TreeBuilder::parse_error(std::size_t, const std::string&,
                              const nlohmann::detail::exception& problem) {
  const std::string reason = plain_reason(problem.what());
  if (reason.find("unexpected end of input") != std::string::npos ||
      reason.find("missing closing quote") != std::string::npos) {
    error("json-truncated", "the file ends too early: " + reason, "is the file complete?");
  } else if (reason.find("invalid literal") != std::string::npos) {
    error("json-syntax", reason, "NaN, Infinity, comments and unquoted text are not JSON");
  } else if (reason.find("number overflow") != std::string::npos) {
    error("json-syntax", reason, kSmaller);
  } else {
    error("json-syntax", reason, "check quotes, commas and brackets before this place");
  }
  return false;
}

}  // namespace

std::optional<JsonNode> parse_json(std::string_view text, const std::string& file,
                                   Diagnostics& out) {
  if (text.size() > kMaxJsonBytes) {
    out.error("json-too-large", file, "", 0,
              fmt::format("{} bytes; at most {} are read", text.size(), kMaxJsonBytes),
              "is this the right file?");
    return std::nullopt;
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    out.error("json-empty", file, "", 1, "the file is empty",
              "is this the right file? a JSON document is expected");
    return std::nullopt;
  }
  const int errors_before = out.error_count();
  ReadPosition position(text);
  TreeBuilder builder(&position, file, out);
  const bool parsed = nlohmann::json::sax_parse(CountingIterator(text.begin(), &position),
                                                CountingIterator(text.end(), &position), &builder);
  if (!parsed || out.error_count() > errors_before) return std::nullopt;
  return builder.take_root();
}

}  // namespace heddle::io
