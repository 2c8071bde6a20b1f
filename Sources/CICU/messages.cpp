// Formats messages with plurals, by ICU's MessageFormat, which has no safe interface in C.
#include "CICU.h"

#include <memory>
#include <string>

#include <unicode/msgfmt.h>

extern "C" int32_t vitrine_format_message(
    const char *language, const char *pattern, const VitrineArgument *arguments, int32_t count, char *text, int32_t capacity) {
    UErrorCode status = U_ZERO_ERROR;
    icu::MessageFormat format(icu::UnicodeString::fromUTF8(pattern), icu::Locale(language), status);
    if (U_FAILURE(status)) return -1;
    std::string written;
    try {
        auto values = std::make_unique<icu::Formattable[]>(count > 0 ? count : 1);
        for (int32_t index = 0; index < count; index++) {
            if (arguments[index].text) {
                values[index].setString(icu::UnicodeString::fromUTF8(arguments[index].text));
            } else {
                values[index].setInt64(arguments[index].number);
            }
        }
        icu::UnicodeString result;
        icu::FieldPosition position;
        format.format(values.get(), count, result, position, status);
        if (U_FAILURE(status)) return -1;
        result.toUTF8String(written);
    } catch (...) {
        return -1;
    }
    auto length = static_cast<int32_t>(written.size());
    if (length <= capacity) written.copy(text, written.size());
    return length;
}
