// Tests the tag that names a path of the site: {{url name value}}.

import Markup
import Testing

@Suite struct TemplateURLTests {
    private static let urls = ["home": "/", "releases": "/releases", "item": "/releases/{number}/items/{id}"]

    private func render(_ source: String, _ fields: [String: TemplateValue]) throws -> String {
        let templates = try TemplateSet(sources: ["page": source], urls: Self.urls)
        return String(decoding: try templates.render("page", TemplateValue.object(fields)), as: UTF8.self)
    }

    private func problem(_ source: String) -> String? {
        #expect(throws: TemplateFailure.self) { try TemplateSet(sources: ["page": source], urls: Self.urls) }?
            .description
    }

    @Test("The name stands for the path; each value is one percent-encoded segment")
    func paths() throws {
        let values: [String: TemplateValue] = ["number": .int(7), "id": .string("a/b ?\"é")]
        #expect(try render(#"<a href="{{url home}}">"#, values) == #"<a href="/">"#)
        #expect(
            try render(#"<form action="{{url item number id}}">"#, values)
                == #"<form action="/releases/7/items/a%2Fb%20%3F%22%C3%A9">"#)
        #expect(
            try render(#"<a href="{{url releases}}?month={{id}}#calendar">"#, values)
                == #"<a href="/releases?month=a%2Fb%20%3F%22%C3%A9#calendar">"#)
        #expect(try render(#"<p data-live="{{url releases}}">"#, values) == #"<p data-live="/releases">"#)
        #expect(
            try render(
                "{{#each ids}}<a href=\"{{url item number this}}\">{{/each}}",
                values.merging(["ids": .array([.string("x")])]) { $1 })
                == #"<a href="/releases/7/items/x">"#)
    }

    @Test("An empty value would lead to another page, so the page isn't rendered")
    func emptyValues() {
        for value: TemplateValue in [.string(""), .null] {
            #expect(throws: TemplateProblem.self) {
                try render(#"<a href="{{url item number id}}">"#, ["number": .int(7), "id": value])
            }
        }
    }

    @Test("Unknown names, missing or extra values and other positions are problems of the template")
    func problems() {
        #expect(problem(#"<a href="{{url relase number}}">"#) == "page.html:1:10: no page is named relase")
        #expect(
            problem(#"<a href="{{url item number}}">"#)
                == "page.html:1:10: item is /releases/{number}/items/{id}, with other parameters than 1")
        #expect(
            problem(#"<a href="{{url home number}}">"#) == "page.html:1:10: home is /, with other parameters than 1")
        #expect(problem("<p>{{url home}}</p>") == "page.html:1:4: {{url}} is only allowed at the start of an attribute")
        #expect(
            problem(#"<a href="/x{{url home}}">"#)
                == "page.html:1:12: {{url}} is only allowed at the start of an attribute")
        #expect(problem(#"<a href="{{url home 7}}">"#) == "page.html:1:10: invalid tag {{url home 7}}")
    }
}
