#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// Keeps the documents consistent: links lead to files and headings that exist, section numbers are those of the
// headings, and no line of code is longer than .clang-format allows.

namespace treacle {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_line = 120;

/// Characters of UTF-8; an invalid byte stands for itself.
std::vector<char32_t> characters(const std::string& text) {
    std::vector<char32_t> result;
    for (std::size_t n = 0; n < text.size();) {
        const auto first = static_cast<unsigned char>(text[n]);
        const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
        char32_t c = more == 3 ? first & 0x07u : more == 2 ? first & 0x0Fu : more == 1 ? first & 0x1Fu : first;
        for (std::size_t k = 1; k <= more && n + k < text.size(); ++k) {
            c = c << 6 | (static_cast<unsigned char>(text[n + k]) & 0x3Fu);
        }
        result.push_back(c);
        n += 1 + more;
    }
    return result;
}

/// Whether GitHub keeps a character in an anchor: letters, digits, underscores and hyphens. Only European letters are
/// known here.
bool stays_in_anchor(char32_t c) {
    if (c < 0x80) return std::isalnum(static_cast<int>(c)) || c == '_' || c == '-';
    return c == 0xAA || c == 0xB5 || c == 0xBA || (c >= 0xC0 && c < 0x2000 && c != 0xD7 && c != 0xF7);
}

/// Small letters of ASCII, Latin-1 and Greek.
char32_t lower(char32_t c) {
    if (c < 0x80) return static_cast<char32_t>(std::tolower(static_cast<int>(c)));
    const bool latin = c >= 0xC0 && c <= 0xDE && c != 0xD7, greek = c >= 0x391 && c <= 0x3A9;
    return latin || greek ? c + 0x20 : c;
}

void append(std::string& text, char32_t c) {
    if (c < 0x80) {
        text += static_cast<char>(c);
    } else if (c < 0x800) {
        text += static_cast<char>(0xC0 | c >> 6);
        text += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        text += static_cast<char>(0xE0 | c >> 12);
        text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        text += static_cast<char>(0x80 | (c & 0x3F));
    }
}

const std::regex link_pattern(R"(\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]*)(?:\s+"[^"]*")?\))");

/// The anchor that GitHub gives to a heading, before it numbers equal ones.
std::string anchor_of(const std::string& heading) {
    std::string anchor;
    for (const char32_t c : characters(std::regex_replace(heading, link_pattern, "$1"))) {
        if (c == ' ') anchor += '-';
        else if (stays_in_anchor(c)) append(anchor, lower(c));
    }
    return anchor;
}

struct Heading {
    int line;
    int level;
    std::string text;
    std::optional<int> number;  ///< "7" of "7. Keyframes"
};

struct Link {
    int line;
    std::string text;
    std::string target;
};

struct Document {
    std::map<std::string, Heading> headings;  ///< by anchor
    std::vector<Heading> in_order;
    std::vector<Link> links;
};

std::optional<int> leading_number(const std::string& text) {
    std::smatch found;
    if (!std::regex_search(text, found, std::regex(R"(^(\d+)\. )"))) return std::nullopt;
    return std::stoi(found[1]);
}

Document read_document(const std::string& text) {
    Document document;
    std::istringstream lines(text);
    std::string fence;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::smatch found;
        if (std::regex_search(line, found, std::regex(R"(^\s*(```+|~~~+))"))) {
            const std::string mark = found[1];
            if (fence.empty()) fence = mark;
            else if (mark.starts_with(fence)) fence.clear();
            continue;
        }
        if (!fence.empty()) continue;
        if (std::regex_match(line, found, std::regex(R"((#{1,6})\s+(.*?)\s*#*\s*)"))) {
            const Heading heading{number, static_cast<int>(found[1].length()), found[2], leading_number(found[2])};
            std::string anchor = anchor_of(heading.text);
            for (int again = 1; document.headings.contains(anchor); ++again) {
                anchor = anchor_of(heading.text) + "-" + std::to_string(again);
            }
            document.headings.emplace(anchor, heading);
            document.in_order.push_back(heading);
        }
        const std::string shown = std::regex_replace(line, std::regex("`[^`]*`"), "");  // no links in code
        for (std::sregex_iterator link(shown.begin(), shown.end(), link_pattern), end; link != end; ++link) {
            document.links.push_back({number, (*link)[1], (*link)[2]});
        }
    }
    return document;
}

/// The section number in the text of a link: "section 7", or "7. Keyframes" in a list of contents.
std::optional<int> promised_number(const std::string& text) {
    std::smatch found;
    if (std::regex_search(text, found, std::regex(R"([Ss]ection (\d+)(?!\.?\d))"))) return std::stoi(found[1]);
    return leading_number(text);
}

/// Documents by their path from the root of the repository, and all other files.
struct Library {
    std::map<std::string, Document> documents;
    std::set<std::string> files;  ///< folders too
};

std::string problem_with(const Link& link, const std::string& from, const Library& library) {
    if (link.target.find("://") != std::string::npos || link.target.starts_with("mailto:")) return {};
    const std::size_t hash = link.target.find('#');
    const std::string path = link.target.substr(0, hash);
    std::string file = path.empty() ? from : (fs::path(from).parent_path() / path).lexically_normal().generic_string();
    if (file.ends_with("/")) file.pop_back();
    if (!library.files.contains(file)) return "there is no file " + file;
    if (hash == std::string::npos) return {};
    const auto document = library.documents.find(file);
    if (document == library.documents.end()) return {};  // lines of code, pages of a PDF
    const std::string anchor = link.target.substr(hash + 1);
    const auto heading = document->second.headings.find(anchor);
    if (heading == document->second.headings.end()) return "no heading of " + file + " has the anchor #" + anchor;
    const auto promised = promised_number(link.text);
    if (!promised || !heading->second.number || *promised == *heading->second.number) return {};
    return "says section " + std::to_string(*promised) + ", but the heading is \"" + heading->second.text + "\"";
}

/// All problems of one document.
std::vector<std::string> problems_of(const std::string& name, const Library& library) {
    const Document& document = library.documents.at(name);
    std::vector<std::string> problems;
    const auto add = [&](int line, const std::string& what) {
        problems.push_back(name + ":" + std::to_string(line) + ": " + what);
    };
    for (const Link& link : document.links) {
        const std::string problem = problem_with(link, name, library);
        if (!problem.empty()) add(link.line, "[" + link.text + "](" + link.target + "): " + problem);
    }
    int last = 0;
    for (const Heading& heading : document.in_order) {
        if (heading.level != 2 || !heading.number) continue;
        if (*heading.number != last + 1)
            add(heading.line, "\"" + heading.text + "\" follows section " + std::to_string(last));
        last = *heading.number;
    }
    return problems;
}

std::string content_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// Files of the repository by their path from its root, without builds and runs.
std::vector<std::string> repository_files() {
    const fs::path root = TREACLE_SOURCE_DIR;
    std::vector<std::string> files;
    for (fs::recursive_directory_iterator entry(root), end; entry != end; ++entry) {
        const std::string name = entry->path().lexically_relative(root).generic_string();
        const bool passed_over = name.starts_with(".git") || name == "build" || name == "out";
        if (passed_over && entry->is_directory() && name != ".github") entry.disable_recursion_pending();
        else files.push_back(name);
    }
    return files;
}

TEST(Documents, links_lead_somewhere) {
    Library library;
    for (const std::string& name : repository_files()) {
        library.files.insert(name);
        if (name.ends_with(".md")) {
            library.documents.emplace(name, read_document(content_of(fs::path(TREACLE_SOURCE_DIR) / name)));
        }
    }
    std::size_t links = 0;
    for (const auto& [name, document] : library.documents) {
        links += document.links.size();
        for (const std::string& problem : problems_of(name, library)) ADD_FAILURE() << problem;
    }
    EXPECT_GT(library.documents.size(), 20u) << "the documents were not found";
    EXPECT_GT(links, 100u) << "the links were not found";
}

TEST(Documents, the_check_of_links_finds_what_it_must) {
    Library library;
    library.files = {"docs", "docs/a.md", "docs/b.md", "docs/plot.svg", "README.md"};
    const auto problems = [&](const std::string& text) {
        library.documents["docs/b.md"] = read_document(
            "# B\n## 1. García's *two* `x_y` – drops, 10²\n## 2. Twice\n### Twice\n### Twice\n```\n## 9. code\n```\n");
        library.documents["docs/a.md"] = read_document(text);
        return problems_of("docs/a.md", library);
    };
    for (const char* right :
         {"[x](b.md)", "[x](../README.md)", "![x](plot.svg)", "[x](../docs)", "[x](https://b.org/#c)",
          "[x](b.md#1-garcías-two-x_y--drops-10)", "[see section 2](b.md#2-twice)", "[x](b.md#twice-1)",
          "`[x](none.md)`", "```\n[x](none.md)\n```", "## 1. One\n## 2. Two\n[2. Two](#2-two)",
          "[section 4.2 of the paper](b.md#2-twice)", "[a [b]](b.md \"title\")"}) {
        EXPECT_EQ(problems(right), std::vector<std::string>{}) << right;
    }
    for (const char* wrong :
         {"[x](none.md)", "[x](README.md)", "![x](plot.png)", "[x](b.md#3-thrice)", "[x](b.md#9-code)", "[x](#here)",
          "[see section 3](b.md#2-twice)", "## 1. One\n[2. One](#1-one)", "## 1. One\n## 1. Two",
          "## 1. One\n## 3. Two", "[a [b]](none.md \"title\")", "[x](b.md#twice-2)"}) {
        EXPECT_EQ(problems(wrong).size(), 1u) << wrong;
    }
}

/// Numbers of lines that are too long; a character may take several bytes.
std::vector<int> long_lines(const std::string& text) {
    std::vector<int> found;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (characters(line).size() > longest_line) found.push_back(number);
    }
    return found;
}

TEST(Documents, lines_of_code_are_not_too_long) {
    int files = 0;
    for (const std::string& name : repository_files()) {
        if (!name.ends_with(".cpp") && !name.ends_with(".h")) continue;
        ++files;
        for (const int line : long_lines(content_of(fs::path(TREACLE_SOURCE_DIR) / name))) {
            ADD_FAILURE() << name << ":" << line << ": longer than " << longest_line << " characters";
        }
    }
    EXPECT_GT(files, 100) << "the sources were not found";
    EXPECT_EQ(long_lines(std::string(120, 'x') + "\n" + std::string(121, 'x') + "\n"), std::vector<int>{2});
    std::string dots;
    for (int n = 0; n < 120; ++n) dots += "…";
    EXPECT_EQ(long_lines(dots), std::vector<int>{}) << "bytes are counted in place of characters";
}

}  // namespace
}  // namespace treacle
