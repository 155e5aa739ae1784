#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/source_code.h"

// Keeps promises checked (src/core/promises.h): every public function of src/blocks that takes two spans or more, or a
// span and rows, or a struct of spans, begins with an assertion. Functions that only checked functions can call
// (private members of classes, anonymous namespaces) need none.

namespace treacle {
namespace {

namespace fs = std::filesystem;

struct Exception {
    std::string file;
    std::string name;
    std::string reason;
};

const std::vector<Exception> exceptions{
    {"src/blocks/pair.h", "for_each_pair", "runs for every particle; blocks check what they give it"},
    {"src/blocks/pair_pack.h", "for_each_pair_pack", "runs for every particle; blocks check what they give it"},
    {"src/blocks/pressure/flow_pairs.h", "FlowPairs::resistance", "runs for every particle in every iteration"},
    {"src/blocks/pressure/flow_pairs.h", "FlowPairs::diagonal", "runs for every particle of what update() has checked"},
};

/// Classes that hold a value for each particle, like spans.
const std::set<std::string> rows{"BoundaryParticles", "ConformationRows", "ConnectionGraph",
                                 "MovingPositions",   "MpsCloud",         "MpsGeometry",
                                 "Neighbors",         "ParticleSizes",    "WallRows"};

/// A declaration or definition of a function.
struct Function {
    std::vector<std::string> path;  ///< classes around it, the outermost first
    std::string name;
    std::string parameters;
    int line = 0;
    bool defined = false;
    bool asserts = false;  ///< it begins with an assertion
    bool hidden = false;   ///< in an anonymous namespace, or private

    std::string full_name() const { return path.empty() ? name : path.back() + "::" + name; }
};

using Names = std::set<std::pair<std::string, std::string>>;  ///< of a class and of its member

/// Facts from all sources together: a definition does not say who may call it, its declaration elsewhere does.
struct Known {
    Names open, hidden;             ///< functions of classes, by their declarations
    Names hidden_types;             ///< classes within others
    std::set<std::string> bundles;  ///< structs of spans

    bool hides(const Function& function) const {
        if (function.hidden) return true;
        for (std::size_t n = 1; n < function.path.size(); ++n) {
            if (hidden_types.count({function.path[n - 1], function.path[n]})) return true;
        }
        if (function.path.empty()) return false;
        const std::pair<std::string, std::string> key{function.path.back(), function.name};
        return hidden.count(key) && !open.count(key);
    }

    /// Spans and rows among the parameters; a struct of spans counts as two.
    int spans_of(const Function& function) const;
};

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \n");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \n") - first + 1);
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
        if (is_word(c)) words.back() += c;
        else if (!words.back().empty()) words.emplace_back();
    }
    return words;
}

int Known::spans_of(const Function& function) const {
    std::vector<std::string> parameters(1);
    int depth = 0;
    for (const char c : function.parameters) {
        if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
        if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
        if (c == ',' && depth == 0) parameters.emplace_back();
        else parameters.back() += c;
    }
    int spans = 0;
    for (const std::string& parameter : parameters) {
        std::string type = trimmed(parameter);
        if (type.starts_with("const ")) type = trimmed(type.substr(6));
        const auto words = words_of(type);
        const auto any_of = [&](const std::set<std::string>& names) {
            return std::any_of(words.begin(), words.end(), [&](const auto& word) { return names.count(word) > 0; });
        };
        if (any_of(bundles)) spans += 2;
        else if (type.starts_with("std::span<") || any_of(rows)) ++spans;
    }
    return spans;
}

/// A::B<S>::c as A, B and c.
std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char c : name) {
        depth += (c == '<') - (c == '>');
        if (depth > 0 || c == '>' || c == ' ' || c == '\n') continue;
        if (c != ':') parts.back() += c;
        else if (!parts.back().empty()) parts.emplace_back();
    }
    return parts;
}

/// Reads one file without comments. It knows namespaces, classes and functions, and does not look into bodies.
class Reader {
public:
    explicit Reader(const std::string& text) : code_(code_of(text)) {
        for (std::size_t line = 0; line < code_.size(); line = code_.find('\n', line) + 1) {
            const std::size_t end = std::min(code_.find('\n', line), code_.size());
            if (code_[line] == '#') std::fill_n(code_.begin() + static_cast<std::ptrdiff_t>(line), end - line, ' ');
            if (end == code_.size()) break;
        }
    }

    std::vector<Function> read(Known& known) {
        scopes_.assign(1, {});
        while (at_ < code_.size()) {
            switch (code_[at_]) {
                case ';': end_declaration(known); break;
                case '{': open_scope(known); break;
                case '}':
                    if (scopes_.size() > 1) scopes_.pop_back();
                    begin_ = at_ + 1;
                    break;
                case ':': change_access(); break;
                case '(': read_function(known); break;
                default: break;
            }
            ++at_;
        }
        return std::move(functions_);
    }

private:
    struct Scope {
        std::vector<std::string> path;
        bool type = false, open = true, hidden = false;
    };

    /// Where the bracket that opens here is closed.
    std::size_t closed(std::size_t at) const {
        int depth = 0;
        for (; at < code_.size(); ++at) {
            if (code_[at] == '(' || code_[at] == '{') ++depth;
            if ((code_[at] == ')' || code_[at] == '}') && --depth == 0) return at;
        }
        return code_.size() - 1;
    }

    /// The declaration up to here, without template<…>.
    std::string declaration() const {
        std::string text = trimmed(code_.substr(begin_, at_ - begin_));
        while (text.starts_with("template")) {
            std::size_t end = text.find('<');
            int depth = 0;
            for (; end < text.size(); ++end) {
                depth += (text[end] == '<') - (text[end] == '>');
                if (depth == 0) break;
            }
            text = end < text.size() ? trimmed(text.substr(end + 1)) : "";
        }
        return text;
    }

    void end_declaration(Known& known) {
        const Scope& scope = scopes_.back();
        const std::string text = declaration();
        if (scope.type && scope.open && text.starts_with("std::span<")) known.bundles.insert(scope.path.back());
        if (const auto words = words_of(text); words[0] == "struct" || words[0] == "class") note_type(known, words[1]);
        begin_ = at_ + 1;
    }

    void note_type(Known& known, const std::string& name) const {
        const Scope& scope = scopes_.back();
        if (scope.type && !scope.open) known.hidden_types.insert({scope.path.back(), name});
    }

    void open_scope(Known& known) {
        const Scope& outer = scopes_.back();
        const std::string text = declaration();
        const std::string word = words_of(text)[0];
        Scope inner = outer;
        inner.open = true;
        if (word == "namespace") {
            inner.hidden |= text == word;
        } else if (word == "struct" || word == "class") {
            const std::string after = trimmed(text.substr(word.size()));
            const auto parts = parts_of(after.substr(0, after.find(' ')));
            note_type(known, parts.back());
            inner.path.insert(inner.path.end(), parts.begin(), parts.end());
            inner.hidden |= outer.type && !outer.open;
            inner.type = true;
            inner.open = word == "struct";
        } else {  // braces of a value
            at_ = closed(at_);
            return;
        }
        scopes_.push_back(inner);
        begin_ = at_ + 1;
    }

    void change_access() {
        const std::string text = trimmed(code_.substr(begin_, at_ - begin_));
        if (text != "public" && text != "private" && text != "protected") return;
        scopes_.back().open = text == "public";
        begin_ = at_ + 1;
    }

    /// Start of the body of a function whose parameters end here, or the end of the declaration if it has no body.
    std::size_t body_after(std::size_t at) const {
        bool initializers = false;
        for (++at; at < code_.size(); ++at) {
            const char c = code_[at];
            if (c == ';' || c == '=' || c == ',') {
                if (!initializers || c == ';') return at;
            } else if (c == ':') {
                if (code_[at + 1] == ':') ++at;
                else initializers = true;
            } else if (c == '(') {
                at = closed(at);
            } else if (c == '{') {
                if (!initializers || !is_word(code_[at - 1])) return at;
                at = closed(at);  // a member{…}
            }
        }
        return code_.size() - 1;
    }

    void read_function(Known& known) {
        std::size_t first = at_;
        int depth = 0;
        while (first > begin_) {
            const char c = code_[first - 1];
            depth += (c == '>') - (c == '<');
            if (depth == 0 && !is_word(c) && c != ':' && c != '~' && c != '<') break;
            --first;
        }
        const std::size_t close = closed(at_);
        auto parts = parts_of(code_.substr(first, at_ - first));
        const std::string name = parts.back();
        if (name.empty() || name == "__attribute__" || name == "static_assert") {
            at_ = close;
            return;
        }
        parts.pop_back();
        const Scope& scope = scopes_.back();
        Function function{.path = scope.path, .name = name, .parameters = code_.substr(at_ + 1, close - at_ - 1)};
        function.path.insert(function.path.end(), parts.begin(), parts.end());
        function.line =
            1 + static_cast<int>(std::count(code_.begin(), code_.begin() + static_cast<std::ptrdiff_t>(first), '\n'));
        function.hidden = scope.hidden || (scope.type && !scope.open);
        if (scope.type) (scope.open ? known.open : known.hidden).insert({scope.path.back(), name});
        const std::size_t body = body_after(close);
        function.defined = code_[body] == '{';
        at_ = close;
        if (function.defined) {
            function.asserts = trimmed(code_.substr(body + 1, closed(body) - body)).starts_with("assert(");
            at_ = closed(body);
            begin_ = at_ + 1;
        }
        functions_.push_back(std::move(function));
    }

    std::string code_;
    std::size_t at_ = 0, begin_ = 0;  ///< begin_: of the present declaration
    std::vector<Scope> scopes_;
    std::vector<Function> functions_;
};

bool asks_for_promises(const Known& known, const Function& function) {
    return function.defined && !known.hides(function) && known.spans_of(function) >= 2;
}

TEST(Heads, of_public_functions_check_what_callers_promise) {
    const fs::path root = TREACLE_SOURCE_DIR;
    Known known;
    std::vector<std::pair<std::string, Function>> functions;
    for (const auto& entry : fs::recursive_directory_iterator(root / "src" / "blocks")) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".h" && extension != ".cpp") continue;
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        for (Function& function : Reader(text.str()).read(known))
            functions.emplace_back(entry.path().lexically_relative(root).generic_string(), std::move(function));
    }
    int heads = 0;
    std::set<const Exception*> used;
    for (const auto& [file, function] : functions) {
        if (!asks_for_promises(known, function)) continue;
        ++heads;
        if (function.asserts) continue;
        const Exception* allowed = nullptr;
        for (const Exception& e : exceptions) {
            if (e.file == file && e.name == function.full_name()) allowed = &e;
        }
        if (allowed) used.insert(allowed);
        else
            ADD_FAILURE() << file << ":" << function.line << ": " << function.full_name() << " begins without assert()";
    }
    EXPECT_GT(heads, 80) << "the sources were not understood";
    for (const Exception& e : exceptions) {
        EXPECT_TRUE(used.count(&e)) << e.file << ": " << e.name << " needs no exception any more: delete its line";
    }
}

/// Names of functions that need an assertion and do not begin with one.
std::vector<std::string> careless(const std::vector<std::string>& files) {
    Known known;
    std::vector<Function> functions;
    for (const std::string& text : files) {
        for (Function& function : Reader(text).read(known)) functions.push_back(std::move(function));
    }
    std::vector<std::string> names;
    for (const Function& function : functions) {
        if (asks_for_promises(known, function) && !function.asserts) names.push_back(function.full_name());
    }
    return names;
}

using Found = std::vector<std::string>;

TEST(Heads, are_found_however_they_are_written) {
    const std::string two = "std::span<const int> a, std::span<int> b";
    EXPECT_EQ(careless({"void f(" + two + ") { g(); }"}), Found{"f"});
    EXPECT_EQ(careless({"namespace n {\ntemplate <class S>\nauto A<S>::f(int i,\n  " + two +
                        ") const\n -> typename S::Vec {\n  if (i) assert(i);\n}\n}"}),
              Found{"A::f"});
    EXPECT_EQ(careless({"struct A { void f(" + two + ") { g(); } };"}), Found{"A::f"});
    EXPECT_EQ(careless({"class A { void g(); public: A(" + two + ") : a_(a), b_{b} { g(); } };"}), Found{"A::A"});
    EXPECT_EQ(careless({"void f(const std::span<int> a, int, std::span<int> b = {}) {}"}), Found{"f"});
    EXPECT_EQ(careless({"void f(" + two + ") { // assert(a);\n g(); }"}), Found{"f"});
    EXPECT_EQ(careless({"void f(" + two + ") { g(); assert(a); }"}), Found{"f"});
    EXPECT_EQ(careless({"int k = g(1); struct { int m; } s{2}; void f(" + two + ") {}"}), Found{"f"});
    EXPECT_EQ(careless({"void f(const Neighbors<S>& neighbors, std::span<int> a) {}"}), Found{"f"});
    // A struct of spans, which another file declares.
    const std::string header =
        "class A { public: struct Fluid { std::span<int> x, y; }; void f(const Fluid& fluid); };";
    EXPECT_EQ(careless({"void A::f(const Fluid& fluid) { g(); }", header}), Found{"A::f"});
    EXPECT_EQ(careless({"void B<S>::f(const typename A<S>::Fluid& fluid) { g(); }", header}), Found{"B::f"});
}

TEST(Heads, that_need_none_are_left_alone) {
    const std::string two = "std::span<const int> a, std::span<int> b";
    for (const std::string& text :
         {"void f(" + two + ") { assert(a.size() == b.size()); g(); }",
          "void f(" + two + ") {\n // why\n assert(a.size() == b.size());\n}", "void f(" + two + ");",
          std::string("void f(std::span<int> a, int n) { g(); }"),
          std::string("void f(const Neighbors<S>& neighbors, int n) { g(); }"),
          std::string("void f(const std::function<void(std::span<int>, std::span<int>)>& a) { g(); }"),
          "namespace { void f(" + two + ") { g(); } }", "class A { void f(" + two + ") { g(); } };",
          "struct A { private: void f(" + two + ") { g(); } };",
          "class A { struct B { void f(" + two + ") { g(); } }; };",
          "void f(std::span<int> a) { const auto g = [&](" + two + ") { h(); }; }"}) {
        EXPECT_TRUE(careless({text}).empty()) << text;
    }
    // A function that is private in the header is private in its definition.
    const std::string header =
        "template <class S>\nclass A {\npublic:\n    void g();\nprivate:\n    struct B;\n"
        "    void f(" +
        two + ");\n};\n";
    EXPECT_TRUE(careless({header, "template <class S>\nvoid A<S>::f(" + two + ") { h(); }"}).empty());
    EXPECT_TRUE(careless({header, "template <class S>\nstruct A<S>::B { void f(" + two + ") { h(); } };"}).empty());
    EXPECT_TRUE(careless({header, "template <class S>\nvoid A<S>::B::k(" + two + ") { h(); }"}).empty());
    EXPECT_EQ(careless({header, "template <class S>\nvoid A<S>::g(" + two + ") { h(); }"}), Found{"A::g"});
}

}  // namespace
}  // namespace treacle
