#include "CSimdJSON.h"

#include <simdjson.h>

#include <new>
#include <string>
#include <vector>

struct ob_json_document {
    simdjson::dom::parser parser;
    std::vector<ob_json_event> events;
    const char *error = nullptr;
};

namespace {

struct too_many {};

void append(std::vector<ob_json_event> &events, std::string_view text) {
    events.push_back({OB_JSON_STRING, 0, 0, text.data(), text.size()});
}

void append(std::vector<ob_json_event> &events, simdjson::dom::element element, size_t most) {
    if (events.size() >= most) { throw too_many(); }
    using simdjson::dom::element_type;
    switch (element.type()) {
    case element_type::NULL_VALUE: events.push_back({OB_JSON_NULL, 0, 0, nullptr, 0}); break;
    case element_type::BOOL: events.push_back({OB_JSON_BOOL, bool(element) ? 1 : 0, 0, nullptr, 0}); break;
    case element_type::INT64: events.push_back({OB_JSON_INTEGER, int64_t(element), 0, nullptr, 0}); break;
    /* Beyond 2^63: no ArcGIS id is, so the value survives as a double. */
    case element_type::UINT64: events.push_back({OB_JSON_DOUBLE, 0, double(uint64_t(element)), nullptr, 0}); break;
    case element_type::DOUBLE: events.push_back({OB_JSON_DOUBLE, 0, double(element), nullptr, 0}); break;
    case element_type::STRING: append(events, std::string_view(element)); break;
    case element_type::ARRAY: {
        const size_t head = events.size();
        int64_t count = 0;
        events.push_back({OB_JSON_ARRAY, 0, 0, nullptr, 0});
        for (simdjson::dom::element item : simdjson::dom::array(element)) {
            append(events, item, most);
            ++count;
        }
        events[head].integer = count;
        break;
    }
    case element_type::OBJECT: {
        const size_t head = events.size();
        int64_t count = 0;
        events.push_back({OB_JSON_OBJECT, 0, 0, nullptr, 0});
        for (auto member : simdjson::dom::object(element)) {
            append(events, member.key);
            append(events, member.value, most);
            ++count;
        }
        events[head].integer = count;
        break;
    }
    }
}

} // namespace

ob_json_document *ob_json_parse(const char *text, size_t length, size_t most) {
    auto *document = new (std::nothrow) ob_json_document();
    if (document == nullptr) { return nullptr; }
    try {
        simdjson::dom::element root;
        /* Without padding after the text the parser copies it once. */
        auto outcome = document->parser.parse(text, length, true).get(root);
        if (outcome) {
            document->error = simdjson::error_message(outcome);
        } else {
            append(document->events, root, most);
        }
    } catch (const too_many &) {
        document->error = "The text holds too many values.";
    } catch (const std::exception &) {
        document->error = "The text could not be held in memory.";
    }
    return document;
}

const char *ob_json_error(const ob_json_document *document) { return document->error; }
size_t ob_json_event_count(const ob_json_document *document) { return document->events.size(); }
const ob_json_event *ob_json_events(const ob_json_document *document) { return document->events.data(); }
void ob_json_free(ob_json_document *document) { delete document; }

const char *ob_json_library_version(void) {
    // The macro of the whole version is a number in some releases and a text in others.
    static const std::string version = std::to_string(simdjson::SIMDJSON_VERSION_MAJOR) + "."
        + std::to_string(simdjson::SIMDJSON_VERSION_MINOR) + "." + std::to_string(simdjson::SIMDJSON_VERSION_REVISION);
    return version.c_str();
}
