// Renders a template from a literal and collects its errors.

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

    /// Every error as `line:column message`.
    static func problems(_ source: String, partials: [String: String] = [:]) -> [String] {
        do {
            _ = try TemplateSet(sources: partials.merging(["page": source]) { $1 })
            return []
        } catch let failure as TemplateFailure {
            return failure.problems.map { "\($0.location.line):\($0.location.column) \($0.message)" }
        } catch {
            return ["\(error)"]
        }
    }
}
