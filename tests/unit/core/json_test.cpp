#include "core/json.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

namespace treacle {
namespace {

Json parsed(std::string_view text) {
    const Result<Json> json = parse_json(text, "scene.json");
    EXPECT_TRUE(json) << (json ? "" : to_string(json.error()));
    return json ? *json : Json();
}

/// The only problem of a text.
Problem only_problem(std::string_view text) {
    const Result<Json> json = parse_json(text, "scene.json");
    EXPECT_FALSE(json) << text;
    if (json) return {};
    EXPECT_EQ(json.error().code, ExitCode::wrong_input);
    EXPECT_EQ(json.error().problems.size(), 1u) << to_string(json.error());
    EXPECT_EQ(json.error().problems.front().file, "scene.json");
    return json.error().problems.front();
}

void expect_problem(std::string_view text, int line, const std::string& message) {
    const Problem problem = only_problem(text);
    EXPECT_EQ(problem.line, line) << text;
    EXPECT_EQ(problem.message, message) << text;
}

TEST(Json, reads_every_type_in_order) {
    const Json json = parsed(R"({"z": null, "a": true, "m": [1, 2.5, -3e2, "text"], "o": {}})");
    ASSERT_EQ(json.members.size(), 4u);
    EXPECT_EQ(json.members[0].first, "z");
    EXPECT_EQ(json.find("z")->type, Json::Type::null);
    EXPECT_EQ(json.find("a")->type, Json::Type::boolean);
    EXPECT_TRUE(json.find("a")->boolean);
    const Json& list = *json.find("m");
    ASSERT_EQ(list.elements.size(), 4u);
    EXPECT_EQ(list.elements[0].number, 1);
    EXPECT_EQ(list.elements[1].number, 2.5);
    EXPECT_EQ(list.elements[2].number, -300);
    EXPECT_EQ(list.elements[3].text, "text");
    EXPECT_TRUE(json.find("o")->is_object());
    EXPECT_EQ(json.find("nothing"), nullptr);
    EXPECT_EQ(list.find("z"), nullptr);
}

TEST(Json, knows_how_numbers_were_written) {
    const Json json = parsed("[5, 5.0, 5e0, -7, 123456789012345678901234567890]");
    EXPECT_TRUE(json.elements[0].integral);
    EXPECT_FALSE(json.elements[1].integral);
    EXPECT_FALSE(json.elements[2].integral);
    EXPECT_TRUE(json.elements[3].integral);
    EXPECT_TRUE(json.elements[4].integral);
    EXPECT_EQ(json.elements[4].number, 123456789012345678901234567890.0);
}

TEST(Json, every_value_knows_its_line) {
    // A number is read up to the character after it, here a line break, which must not count.
    const Json json = parsed("{\n\"a\":\n1\n,\n\"b\": [2,\n3\n],\n// comment\n\"c\": /* two\nlines */ \"x\"\n}");
    EXPECT_EQ(json.line, 1);
    EXPECT_EQ(json.find("a")->line, 3);
    EXPECT_EQ(json.find("b")->line, 5);
    EXPECT_EQ(json.find("b")->elements[0].line, 5);
    EXPECT_EQ(json.find("b")->elements[1].line, 6);
    EXPECT_EQ(json.find("c")->line, 10);
}

TEST(Json, lines_with_carriage_returns_and_byte_order_mark) {
    const Json json = parsed("\xEF\xBB\xBF{\r\n\"a\": 1,\r\n\"b\": 2\r\n}\r\n");
    EXPECT_EQ(json.find("a")->line, 2);
    EXPECT_EQ(json.find("b")->line, 3);
}

TEST(Json, syntax_errors_are_plain_sentences) {
    expect_problem("", 1, "the file is empty (column 1)");
    expect_problem(" \n// only a comment\n", 3, "the file is empty (column 1)");
    expect_problem("{\"a\": 1,}", 1, "the comma before \"}\" is too much (column 9)");
    expect_problem("[1,\n2,\n]", 3, "the comma before \"]\" is too much (column 1)");
    expect_problem("{\"a\" 1}", 1, "a colon is missing between key and value (column 6)");
    expect_problem("{\"a\": 1\n \"b\": 2}", 2, "a comma or \"}\" is missing before \"b\" (column 2)");
    expect_problem("[1 2]", 1, "a comma or \"]\" is missing before 2 (column 4)");
    expect_problem("{\"a\":}", 1, "a value is missing before } (column 6)");
    expect_problem("{,}", 1, "a key in double quotes is missing before , (column 2)");
    expect_problem("{\n a: 1}", 2, "cannot read a; keys and texts stand in double quotes (column 2)");
    expect_problem("{'a': 1}", 1, "cannot read 'a'; keys and texts stand in double quotes (column 2)");
    expect_problem("[\"ä\", tru]", 1, "cannot read tru; keys and texts stand in double quotes (column 7)");
    expect_problem("[1.]", 1, "a digit is missing in the number 1. (column 2)");
    expect_problem("{\"a\":\n[1,\n2", 3,
                   "the file ends too early: the list that begins on line 2 is not closed with \"]\" (column 2)");
    expect_problem("{\"a\": \"abc\n}", 1,
                   "a text that begins here is not closed with a double quote on its line (column 7)");
    expect_problem("[\"abc", 1, "a text that begins here is not closed with a double quote on its line (column 2)");
    expect_problem("[1]\n/* abc\n", 2, "a comment that begins here is not closed with */ (column 1)");
    expect_problem("{}\n{}", 2, "something follows after the end of the JSON value: { (column 1)");
    expect_problem("[\"\\q\"]", 1,
                   "a text holds an escape that JSON does not know (a backslash is written \\\\) (column 2)");
    expect_problem("[\"\xff\"]", 1, "the text is not valid UTF-8 (column 2)");
}

TEST(Json, numbers_that_are_not_finite_are_refused) {
    expect_problem("[1,\n1e999]", 2, "the number 1e999 is too large (column 1)");
    expect_problem("[-1e999]", 1, "the number -1e999 is too large (column 2)");
    EXPECT_NE(only_problem("[NaN]").message.find("cannot read NaN"), std::string::npos);
    EXPECT_NE(only_problem("[Infinity]").message.find("cannot read Infinity"), std::string::npos);
}

TEST(Json, duplicate_keys_are_all_reported) {
    const Result<Json> json = parse_json("{\"x\": [{\"a\": 1,\n\"a\": 2}],\n\"b/c\": 1, \"b/c\": 2}", "f");
    ASSERT_FALSE(json);
    ASSERT_EQ(json.error().problems.size(), 2u);
    EXPECT_EQ(to_string(json.error().problems[0]), "f:2: /x/0/a: the key \"a\" is given twice (first on line 1)");
    EXPECT_EQ(to_string(json.error().problems[1]), "f:3: /b~1c: the key \"b/c\" is given twice (first on line 3)");
}

TEST(Json, garbage_and_depth_do_no_harm) {
    EXPECT_EQ(only_problem(std::string_view("\x7f"
                                            "ELF\0\0\1",
                                            7))
                  .message,
              "this is not a text file");
    EXPECT_EQ(only_problem(std::string_view("\xFF\xFE{\0}\0", 6)).message, "the file is UTF-16 text; save it as UTF-8");
    EXPECT_EQ(only_problem(std::string(1000000, '[')).message, "lists and objects are nested more than 200 deep");
    std::string objects;
    for (int n = 0; n < 100000; ++n) objects += "{\"a\":";
    EXPECT_EQ(only_problem(objects).message, "lists and objects are nested more than 200 deep");
    EXPECT_TRUE(parse_json(std::string(200, '[') + std::string(200, ']'), "f"));
    // Random bytes of every kind: any answer will do, but no crash.
    unsigned seed = 1;
    for (int round = 0; round < 3000; ++round) {
        std::string text = round % 2 ? "{\"a\": [1, " : "";
        for (int n = 0; n < 20; ++n) {
            seed = seed * 1664525u + 1013904223u;
            static const std::string alphabet = "{}[],:\"\\/* \n01.eE+-tfnu\xc3\xa4\xff\xef\xbb\xbf";
            text += alphabet[(seed >> 8) % alphabet.size()];
        }
        const Result<Json> json = parse_json(text, "f");
        EXPECT_TRUE(json || !json.error().problems.front().message.empty());
    }
}

TEST(Json, files_that_cannot_be_read) {
    const auto message = [](const std::string& path) {
        const Result<Json> json = read_json_file(path);
        EXPECT_FALSE(json);
        EXPECT_EQ(json.error().code, ExitCode::wrong_input);
        return to_string(json.error());
    };
    EXPECT_EQ(message("/nowhere/scene.json"), "/nowhere/scene.json: there is no such file");
    EXPECT_EQ(message("/"), "/: this is a folder, not a file");
    EXPECT_EQ(message("/dev/zero"), "/dev/zero: the file is larger than 268 MB");
}

TEST(Json, text_reads_back_to_the_same_bits) {
    Json list = Json::array();
    const double tiny = std::numeric_limits<double>::denorm_min();
    for (const double value : {0.1, 1.0 / 3, 1e300, -2.5e-300, tiny, 123456789.0, 1e22, 0.0, -0.0}) list.push(value);
    const Json back = parsed(to_text(list));
    ASSERT_EQ(back.elements.size(), list.elements.size());
    for (std::size_t n = 0; n < back.elements.size(); ++n) {
        EXPECT_EQ(back.elements[n].number, list.elements[n].number);
        EXPECT_EQ(std::signbit(back.elements[n].number), std::signbit(list.elements[n].number));
    }
    const Json text(std::string("quote \" backslash \\ newline \n tab \t ä € null ") + '\0');
    EXPECT_EQ(parsed(to_text(text)).text, text.text);
}

TEST(Json, text_is_laid_out_for_people) {
    Json json = Json::object();
    json.set("gravity", Json::array()).elements = {Json(0), Json(-9.81), Json(0)};
    json.set("empty", Json::object());
    json.set("none", Json::array());
    json.set("list", Json::array()).push(Json::object()).set("on", true);
    json.set("nothing", Json());
    EXPECT_EQ(to_text(json), R"({
  "gravity": [0, -9.81, 0],
  "empty": {},
  "none": [],
  "list": [
    {
      "on": true
    }
  ],
  "nothing": null
})");
}

TEST(Json, what_json_cannot_say_still_gives_valid_text) {
    EXPECT_EQ(to_text(Json(std::numeric_limits<double>::infinity())), "null");
    EXPECT_TRUE(parse_json(to_text(Json("broken \xff UTF-8")), "f"));
}

TEST(Json, set_replaces_or_adds) {
    Json json = Json::object();
    json.set("a", 1);
    json.set("b", 2);
    EXPECT_EQ(json.set("a", 3).number, 3);
    ASSERT_EQ(json.members.size(), 2u);
    EXPECT_EQ(json.members[0].second.number, 3);
}

class SetAtPointer : public testing::Test {
protected:
    /// The scene after a change, or the error message.
    std::string after(const std::string& pointer, Json value = 7) {
        Json json = parsed(R"({"a": {"b": 1}, "list": [{"x": 1}, 2], "t": "text", "a/b": {"~": 1}})");
        const std::string before = to_text(json);
        const Result<void> done = set_at_pointer(json, pointer, std::move(value));
        EXPECT_TRUE(done || to_text(json) == before) << "changed although it failed";
        std::string text = done ? to_text(json) : to_string(done.error());
        std::erase_if(text, [&](char c) { return done && (c == '\n' || c == ' '); });
        return text;
    }
};

TEST_F(SetAtPointer, replaces_and_creates) {
    EXPECT_EQ(after("/a/b"), R"({"a":{"b":7},"list":[{"x":1},2],"t":"text","a/b":{"~":1}})");
    EXPECT_EQ(after("/list/0/x"), R"({"a":{"b":1},"list":[{"x":7},2],"t":"text","a/b":{"~":1}})");
    EXPECT_EQ(after("/list/1"), R"({"a":{"b":1},"list":[{"x":1},7],"t":"text","a/b":{"~":1}})");
    EXPECT_EQ(after("/list/-"), R"({"a":{"b":1},"list":[{"x":1},2,7],"t":"text","a/b":{"~":1}})");
    EXPECT_EQ(after("/list/-/y"), R"({"a":{"b":1},"list":[{"x":1},2,{"y":7}],"t":"text","a/b":{"~":1}})");
    EXPECT_EQ(after("/new/deep"), R"({"a":{"b":1},"list":[{"x":1},2],"t":"text","a/b":{"~":1},"new":{"deep":7}})");
    EXPECT_EQ(after("/a~1b/~0"), R"({"a":{"b":1},"list":[{"x":1},2],"t":"text","a/b":{"~":7}})");
    EXPECT_EQ(after("/t"), R"({"a":{"b":1},"list":[{"x":1},2],"t":7,"a/b":{"~":1}})");
    EXPECT_EQ(after(""), "7");
}

TEST_F(SetAtPointer, says_what_is_impossible) {
    const std::string form = " is no JSON pointer; write it like /materials/honey/density";
    EXPECT_EQ(after("a/b"), "\"a/b\"" + form);
    EXPECT_EQ(after("/a~2"), "\"/a~2\"" + form);
    EXPECT_EQ(after("/a~"), "\"/a~\"" + form);
    EXPECT_EQ(after("/t/x"), "/t is a plain value; it holds no \"x\"");
    EXPECT_EQ(after("/list/1/x"), "/list/1 is a plain value; it holds no \"x\"");
    EXPECT_EQ(after("/list/2"), "/list has 2 elements, counted from 0; there is no number 2");
    EXPECT_EQ(after("/list/x"), "/list is a list; its elements are numbered from 0, and \"x\" is no such number");
    EXPECT_EQ(after("/list/01"), "/list is a list; its elements are numbered from 0, and \"01\" is no such number");
    EXPECT_EQ(after("/list/99999999999999999999"),
              "/list is a list; its elements are numbered from 0, and \"99999999999999999999\" is no such number");
}

TEST(Json, finds_at_pointers) {
    const Result<Json> json = parse_json(R"({ "a": { "b/c": [ 5, { "d": 6 } ] } })", "a.json");
    ASSERT_TRUE(json);
    EXPECT_EQ(find_at_pointer(*json, ""), &*json);
    EXPECT_EQ(find_at_pointer(*json, "/a/b~1c/0")->number, 5);
    EXPECT_EQ(find_at_pointer(*json, "/a/b~1c/1/d")->number, 6);
    for (const char* nothing : {"/b", "/a/b~1c/2", "/a/b~1c/-", "/a/b~1c/0/x", "a"}) {
        EXPECT_EQ(find_at_pointer(*json, nothing), nullptr) << nothing;
    }
}

TEST(Json, pointer_token_escapes) { EXPECT_EQ(pointer_token("a/b~c"), "a~1b~0c"); }

}  // namespace
}  // namespace treacle
