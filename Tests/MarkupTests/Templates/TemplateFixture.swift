// Renders a template from a literal, and collects what is wrong with one.

import Markup

enum TemplateFixture {
    static func render(_ source: String, _ model: some Encodable, partials: [String: String] = [:]) throws -> String {
        let templates = try TemplateSet(sources: partials.merging(["page": source]) { $1 })
        return String(decoding: try templates.render("page", model), as: UTF8.self)
    }

    static func render(
        _ source: String, _ fields: [String: TemplateValue], partials: [String: String] = [:]
    ) throws -> String {
        try render(source, TemplateValue.object(fields), partials: partials)
    }

    /// Every problem as `line:column message`.
    static func problems(_ source: String, partials: [String: String] = [:]) -> [String] {
        do {
            _ = try TemplateSet(sources: partials.merging(["page": source]) { $1 })
            return []
        } catch let failure as TemplateFailure {
            return failure.problems.map { "\($0.place.line):\($0.place.column) \($0.message)" }
        } catch {
            return ["\(error)"]
        }
    }
}
