// Tests layouts, and reading templates from a folder.

import Foundation
import Markup
import Testing

@Suite struct TemplateLayoutTests {
    private static let base = """
        <title>{{#block title}}Site{{/block}}</title>
        <main>
        {{#block main}}
        nothing
        {{/block}}
        </main>
        {{#if flag}}{{#block foot}}foot {{name}}{{/block}}{{/if}}
        """

    @Test("a page fills the blocks of its layout; others keep their default")
    func fills() throws {
        let page = """
            {{! about the page }}
            {{#layout "base"}}

            {{#fill title}}{{name}}{{/fill}}
            {{#fill main}}
            <p>{{name}}</p>
            {{/fill}}

            """
        let html = try TemplateFixture.render(
            page, ["name": .string("a<b"), "flag": .bool(true)], partials: ["base": Self.base])
        #expect(html == "<title>a&lt;b</title>\n<main>\n<p>a&lt;b</p>\n</main>\nfoot a&lt;b")
        let plain = try TemplateFixture.render(
            "{{#layout \"base\"}}", ["flag": .bool(false)], partials: ["base": Self.base])
        #expect(plain == "<title>Site</title>\n<main>\nnothing\n</main>\n")
    }

    @Test("a layout may have a layout; the fill of the page has precedence")
    func nests() throws {
        let partials = [
            "base": "[{{#block title}}base{{/block}}|{{#block main}}{{/block}}]",
            "admin":
                "{{#layout \"base\"}}{{#fill title}}admin{{/fill}}{{#fill main}}({{#block body}}-{{/block}}){{/fill}}",
        ]
        let none: [String: TemplateValue] = [:]
        let layout = "{{#layout \"admin\"}}"
        #expect(
            try TemplateFixture.render(layout + "{{#fill body}}B{{/fill}}", none, partials: partials) == "[admin|(B)]")
        #expect(
            try TemplateFixture.render(layout + "{{#fill title}}T{{/fill}}", none, partials: partials) == "[T|(-)]")
        #expect(
            try TemplateFixture.render(
                layout + "{{#fill title}}{{#block title}}inner{{/block}}{{/fill}}", none, partials: partials)
                == "[inner|(-)]")
    }

    @Test("a folder is read recursively; only .html files count")
    func readsFolder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "markup-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "admin/queue"), withIntermediateDirectories: true)
        try Data("{{> admin/queue/row}}é".utf8).write(to: folder.appending(path: "page.html"))
        try Data("<p>{{name}}</p>".utf8).write(to: folder.appending(path: "admin/queue/row.html"))
        try Data("{{broken".utf8).write(to: folder.appending(path: "notes.txt"))
        let templates = try TemplateSet(directory: folder.path)
        #expect(templates.names == ["admin/queue/row", "page"])
        #expect(String(decoding: try templates.render("page", ["name": "n"]), as: UTF8.self) == "<p>n</p>é")

        try Data([0x61, 0xFF]).write(to: folder.appending(path: "admin/bad.html"))
        let failure = #expect(throws: TemplateFailure.self) { try TemplateSet(directory: folder.path) }
        #expect(failure?.description == "admin/bad.html:1:1: the file is not UTF-8")
        #expect(throws: (any Error).self) { try TemplateSet(directory: folder.path + "/missing") }
    }
}
