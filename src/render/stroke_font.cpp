#include "render/stroke_font.h"

#include <algorithm>
#include <array>

namespace treacle {

namespace {

// A letter is a list of strokes with commas between them. A stroke begins with its kind: - straight lines from point
// to point; ~ a quadratic B-spline that starts and ends at the outer points; @ a closed one. A point is two digits,
// x and y, counted 0 to 9 and on with a = 10. Capitals stand on y = 4 and reach to g = 16, small letters reach to
// c = 12, tails hang down to 0. One step is a twelfth of the height of capitals.
constexpr float baseline = 4, cap_height = 12;
constexpr float letter_gap = 3.6f, space_width = 4.5f, digit_width = 7;

constexpr std::array<const char*, 95> letters{
    "",                                              // space
    "-0g 08,-04 04",                                 // !
    "-0g 0d,-3g 3d",                                 // "
    "-14 3g,-54 7g,-08 88,-0c 8c",                   // #
    "~7c 7f 0f 0a 7a 75 05 08,-43 4h",               // $
    "@0g 4g 4b 0b,@59 99 94 54,-14 8g",              // %
    "~84 2c 2g 6g 6d 0a 04 64 89",                   // &
    "-0g 0d",                                        // '
    "~3h 0e 06 33",                                  // (
    "~0h 3e 36 03",                                  // )
    "-3g 3a,-0f 6b,-6f 0b",                          // *
    "-09 89,-45 4d",                                 // +
    "-14 02",                                        // ,
    "-09 59",                                        // -
    "-04 04",                                        // .
    "-03 6h",                                        // /
    "@0g 7g 74 04",                                  // 0
    "-1d 4g 44",                                     // 1
    "~0d 0g 7g 7a 04,-04 74",                        // 2
    "~0e 0g 6g 6a 3a,~3a 7a 74 04 06",               // 3
    "-54 5g 08 78",                                  // 4
    "-7g 1g 0a,~0a 2c 7c 74 04 06",                  // 5
    "@0b 7b 74 04,~6g 0g 07",                        // 6
    "-0g 7g 24",                                     // 7
    "@1g 6g 6a 1a,@0a 7a 74 04",                     // 8
    "@0g 7g 79 09,~7d 74 14",                        // 9
    "-04 04,-0b 0b",                                 // :
    "-14 02,-1b 1b",                                 // ;
    "-7d 09 75",                                     // <
    "-07 77,-0b 7b",                                 // =
    "-0d 79 05",                                     // >
    "~0d 0g 7g 7b 3b 38,-34 34",                     // ?
    "@4c 8c 88 48,~8c 87 c7 cg 0g 04 a4",            // @
    "-04 4g 84,-18 78",                              // A
    "-04 0g,~0g 3g 7g 7a 3a 0a,~0a 4a 8a 84 44 04",  // B
    "~8d 8g 0g 04 84 87",                            // C
    "-04 0g,~0g 4g 8g 84 44 04",                     // D
    "-7g 0g 04 74,-0a 6a",                           // E
    "-7g 0g 04,-0a 6a",                              // F
    "~8d 8g 0g 04 84 8a,-8a 5a",                     // G
    "-04 0g,-84 8g,-0a 8a",                          // H
    "-04 0g",                                        // I
    "~5g 58 54 04 08",                               // J
    "-04 0g,-8g 08,-3b 84",                          // K
    "-0g 04 74",                                     // L
    "-04 0g 58 ag a4",                               // M
    "-04 0g 84 8g",                                  // N
    "@0g 9g 94 04",                                  // O
    "-04 0g,~0g 4g 8g 89 49 09",                     // P
    "@0g 9g 94 04,-57 93",                           // Q
    "-04 0g,~0g 4g 8g 89 49 09,-49 84",              // R
    "~7d 7g 0g 0a 8a 84 04 07",                      // S
    "-0g 8g,-4g 44",                                 // T
    "~0g 09 04 84 89 8g",                            // U
    "-0g 44 8g",                                     // V
    "-0g 34 6g 94 cg",                               // W
    "-04 8g,-0g 84",                                 // X
    "-0g 4a 8g,-4a 44",                              // Y
    "-0g 8g 04 84",                                  // Z
    "-3h 0h 03 33",                                  // [
    "-0h 63",                                        // backslash
    "-0h 3h 33 03",                                  // ]
    "-0c 3g 6c",                                     // ^
    "-02 82",                                        // _
    "-0g 2d",                                        // `
    "@0c 7c 74 04,-7c 74",                           // a
    "-0g 04,@0c 7c 74 04",                           // b
    "~6a 6c 0c 04 64 66",                            // c
    "-7g 74,@0c 7c 74 04",                           // d
    "-08 78,~78 7c 0c 04 74 76",                     // e
    "~6g 2g 2b 24,-0c 5c",                           // f
    "@0c 7c 74 04,-7c 74,~74 70 00 02",              // g
    "-0g 04,~08 0c 7c 78 74",                        // h
    "-04 0c,-0g 0g",                                 // i
    "~3c 32 30 00,-3g 3g",                           // j
    "-0g 04,-6c 07,-29 64",                          // k
    "~0g 08 04 34",                                  // l
    "-0c 04,~08 0c 6c 68 64,~68 6c cc c8 c4",        // m
    "-0c 04,~08 0c 7c 78 74",                        // n
    "@0c 7c 74 04",                                  // o
    "-0c 00,@0c 7c 74 04",                           // p
    "-7c 70,@0c 7c 74 04",                           // q
    "-0c 04,~08 0c 5c",                              // r
    "~6a 6c 0c 08 68 64 04 06",                      // s
    "~2g 28 24 64,-0c 5c",                           // t
    "~0c 08 04 74 78 7c,-7c 74",                     // u
    "-0c 34 6c",                                     // v
    "-0c 24 5c 84 ac",                               // w
    "-04 6c,-0c 64",                                 // x
    "-0c 34,-6c 20",                                 // y
    "-0c 6c 04 64",                                  // z
    "~4h 1h 1b 0a,~0a 19 13 43",                     // {
    "-0h 03",                                        // |
    "~0h 3h 3b 4a,~4a 39 33 03",                     // }
    "~07 0b 4b 47 87 8b",                            // ~
};

struct Point {
    float x, y;
};

Point middle(Point a, Point b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }

struct Letter {
    std::vector<PenStroke> strokes;  ///< in steps, y upward from 0
    float width = 0;
};

float digit_value(char c) { return static_cast<float>(c <= '9' ? c - '0' : c - 'a' + 10); }

/// A quadratic Bézier curve as straight pieces.
void add_curve(Letter& letter, Point from, Point control, Point to) {
    constexpr int pieces = 6;
    Point last = from;
    for (int n = 1; n <= pieces; ++n) {
        const float t = static_cast<float>(n) / pieces, s = 1 - t;
        const Point next{s * s * from.x + 2 * s * t * control.x + t * t * to.x,
                         s * s * from.y + 2 * s * t * control.y + t * t * to.y};
        letter.strokes.push_back({last.x, last.y, next.x, next.y});
        last = next;
    }
}

void add_stroke(Letter& letter, char kind, const std::vector<Point>& points) {
    const std::size_t count = points.size();
    if (kind == '-') {
        for (std::size_t n = 1; n < count; ++n) {
            letter.strokes.push_back({points[n - 1].x, points[n - 1].y, points[n].x, points[n].y});
        }
    } else if (kind == '@') {
        for (std::size_t n = 0; n < count; ++n) {
            const Point before = points[(n + count - 1) % count], after = points[(n + 1) % count];
            add_curve(letter, middle(before, points[n]), points[n], middle(points[n], after));
        }
    } else {
        for (std::size_t n = 1; n + 1 < count; ++n) {
            const Point from = n == 1 ? points[0] : middle(points[n - 1], points[n]);
            const Point to = n + 2 == count ? points[n + 1] : middle(points[n], points[n + 1]);
            add_curve(letter, from, points[n], to);
        }
    }
}

Letter parse_letter(std::string_view code) {
    Letter letter;
    std::vector<Point> points;
    char kind = 0;
    for (std::size_t n = 0; n < code.size();) {
        if (code[n] == '-' || code[n] == '~' || code[n] == '@') {
            kind = code[n++];
        } else if (code[n] == ' ') {
            ++n;
        } else if (code[n] == ',') {
            add_stroke(letter, kind, points);
            points.clear();
            ++n;
        } else {
            points.push_back({digit_value(code[n]), digit_value(code[n + 1])});
            letter.width = std::max(letter.width, points.back().x);
            n += 2;
        }
    }
    add_stroke(letter, kind, points);
    return letter;
}

const Letter& letter_of(char c) {
    static const std::vector<Letter> parsed = [] {
        std::vector<Letter> list;
        for (std::size_t n = 0; n < letters.size(); ++n) {
            list.push_back(parse_letter(letters[n]));
            const char own = static_cast<char>(' ' + n);
            if (own == ' ') list.back().width = space_width;
            if (own >= '0' && own <= '9') list.back().width = digit_width;  // so that numbers do not jitter in a video
        }
        return list;
    }();
    const bool printable = c >= ' ' && c <= '~';
    return parsed[static_cast<std::size_t>((printable ? c : '?') - ' ')];
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Calls place(letter, x, raised) for every letter and returns the width; all in steps.
template <class Place>
float lay_out(std::string_view text, const Place& place) {
    float x = 0, end = 0;
    bool raised = false;
    for (std::size_t n = 0; n < text.size(); ++n) {
        const auto byte = static_cast<unsigned char>(text[n]);
        if ((byte & 0xC0u) == 0x80u) continue;  // a later byte of a UTF-8 character
        if (text[n] == '^' && n + 1 < text.size() && is_digit(text[n + 1])) {
            raised = true;
            continue;
        }
        raised = raised && is_digit(text[n]);
        const Letter& letter = letter_of(text[n]);
        const float scale = raised ? 0.65f : 1.0f;
        place(letter, x, raised, scale);
        end = x + scale * letter.width;
        x = end + scale * letter_gap;
    }
    return end;
}

}  // namespace

std::vector<PenStroke> text_strokes(std::string_view text, float size) {
    std::vector<PenStroke> strokes;
    const float step = size / cap_height;
    lay_out(text, [&](const Letter& letter, float x, bool raised, float scale) {
        const float lift = raised ? 0.55f * cap_height : 0.0f;
        const auto across = [&](float px) { return step * (x + scale * px); };
        const auto down = [&](float py) { return -step * (lift + scale * (py - baseline)); };
        for (const PenStroke& s : letter.strokes) {
            strokes.push_back({across(s.x0), down(s.y0), across(s.x1), down(s.y1)});
        }
    });
    return strokes;
}

float text_width(std::string_view text, float size) {
    return size / cap_height * lay_out(text, [](const Letter&, float, bool, float) {});
}

float pen_radius(float size) { return std::max(0.55f, 0.07f * size); }

}  // namespace treacle
