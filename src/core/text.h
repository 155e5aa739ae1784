#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace treacle {

/// The candidate that is most probably meant, or empty if none is close (edit distance with transpositions).
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean "density"?" if a candidate is close, otherwise empty; to put behind a message.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// Shortest decimal text that reads back to the same double; "1e-05" style exponents.
std::string number_text(double value);

/// A number rounded for people: 0.0123456 with 3 digits -> "0.0123".
std::string digits_text(double value, int digits);

/// 1536 -> "1.5 kB"; 12 -> "12 bytes".
std::string bytes_text(double bytes);

/// 75 -> "1 min 15 s".
std::string duration_text(double seconds);

/// The text between double quotes, as messages show keys and words.
std::string in_quotes(std::string_view text);

/// Text that a shell takes for one word: in single quotes where needed.
std::string shell_word(std::string_view text);

/// A table as text: columns are as wide as their longest cell, with two blanks between them. The last cell of a line
/// does not count.
std::string aligned_columns(const std::vector<std::vector<std::string>>& rows);

/// "a, b and c"
std::string list_text(const std::vector<std::string>& words);

}  // namespace treacle
