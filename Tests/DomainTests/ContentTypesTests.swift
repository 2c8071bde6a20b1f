// Tests reading and validating content type files.
import Domain
import Testing

@Suite struct ContentTypesTests {
    func read(_ fields: String, more: String = "") -> [String] {
        problems {
            _ = try ContentTypes(files: [ContentFixture.thingFile(fields, more: more)], kinds: ContentFixture.kinds)
        }
    }

    @Test("every file of Config/content-types is valid, and its hints say more than the labels")
    func projectTypes() throws {
        let types = try ContentTypes(files: ContentFixture.projectFiles(), kinds: ContentFixture.kinds)
        for name in ["article", "video", "feed", "category", "category_group"] {
            #expect(types[name]?.name == name)
        }
        #expect(types["article"]?.kind == .item && types["category_group"]?.kind == .categoryGroup)
        #expect(types.all.map(\.name) == types.all.map(\.name).sorted())
        for type in types.all {
            for field in type.fields + type.fields.flatMap(\.fields) {
                #expect(field.label.first?.isUppercase == true, "\(type.name).\(field.name)")
                if field.help.isEmpty { continue }
                #expect(field.help.hasSuffix("."), "\(type.name).\(field.name)")
                let known = words(of: "a an the this its of in at enter item \(type.label) \(field.label)")
                #expect(!words(of: field.help).isSubset(of: known), "\(type.name).\(field.name): \(field.help)")
            }
        }
    }

    private func words(of text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }

    @Test("a field needs no hint, and a JSON object may name its members")
    func hints() throws {
        let type = try ContentFixture.thing(
            #"{"name":"x","label":"X","type":"json","choices":[{"value":"a","label":"A"}]}"#)
        #expect(type.field("x")?.help == "" && type.field("x")?.choices.map(\.label) == ["A"])
        #expect(read(#"{"name":"x","label":"X","type":"text","help":" "}"#) == ["type thing.json#/fields/1/help"])
    }

    @Test("a field is optional unless it is required, or in a group of which one must be filled")
    func optional() throws {
        let fields = ["a", "b", "c"].map { #"{"name":"\#($0)","label":"L","type":"text"}"# }.joined(separator: ",")
        let type = try ContentFixture.thing(fields, more: #""requires_one_of":[["a","b"]],"#)
        #expect(type.fields.filter(type.isOptional).map(\.name) == ["c"])
    }

    @Test("a new type requires only one more file")
    func addition() throws {
        let recipe = """
            {"name": "recipe", "label": "Recipe", "plural": "Recipes", "help": "How to cook it.", "kind": "item",
             "title_field": "dish", "submittable": true, "fields": [
              {"name": "dish", "label": "Dish", "type": "text", "help": "Its name.", "required": true, "preview": true},
              {"name": "minutes", "label": "Minutes", "type": "integer", "help": "To cook it.", "minimum": 1},
              {"name": "feeds", "label": "Feeds", "type": "references", "help": "Where.", "targets": ["feed"]}]}
            """
        let types = try ContentTypes(
            files: ContentFixture.projectFiles() + [("recipe.json", Array(recipe.utf8))], kinds: ContentFixture.kinds)
        let type = try #require(types["recipe"])
        let content = try type.check(
            ["dish": " Soup ", "minutes": .int(20)], purpose: .submission, cleaning: ContentFixture.cleaning
        ).content
        #expect(content.title(in: type) == "Soup")
        #expect(content.preview(in: type) == ["dish": "Soup"])
        #expect(type.field("minutes")?.value(fromForm: ["20"]) == .int(20))
        #expect(ContentDiff.between(old: nil, new: content, type: type).map(\.field) == ["dish", "minutes"])
    }

    @Test("omitted options have their defaults")
    func defaults() throws {
        let type = try ContentFixture.field("references", #","targets":["thing"]"#)
        let field = try #require(type.field("x"))
        #expect(type.requiredApprovals == 1 && !type.submittable && !type.fourEyes && type.slugField == nil)
        #expect(!field.required && !field.preview && !field.counted && field.maxCount == 100 && !field.submittable)
        #expect(type.field("title")?.submittable == true)
        #expect(type.field("title")?.pointer == "/fields/title")
    }

    @Test("an unknown member is rejected, with a suggestion")
    func unknownMembers() {
        let errors = fieldErrors {
            _ = try ContentTypes(
                files: [
                    ContentFixture.thingFile(
                        #"{"name":"x","label":"X","help":"h","type":"txet","max_lenght":3,"zebra":1}"#,
                        more: #""foureyes":true,"#)
                ], kinds: ContentFixture.kinds)
        }
        #expect(
            errors.messages(at: "thing.json#/fields/1/max_lenght").first?.hasSuffix("Did you mean max_length?") == true)
        #expect(errors.messages(at: "thing.json#/fields/1/zebra") == ["Unknown member zebra."])
        #expect(errors.messages(at: "thing.json#/fields/1/type").first?.hasSuffix("Did you mean text?") == true)
        #expect(errors.messages(at: "thing.json#/foureyes").first?.hasSuffix("Did you mean four_eyes?") == true)
        #expect(errors.items.count == 4)
    }

    @Test("unknown targets, duplicate fields and invalid names are all reported with file and pointer")
    func everyProblem() {
        let field = #"{"name":"x","label":"X","help":"h","type":"reference","targets":["thng"]}"#
        #expect(
            read("\(field),\(field)").sorted() == [
                "duplicate thing.json#/fields/2/name", "reference thing.json#/fields/1/targets",
                "reference thing.json#/fields/2/targets",
            ])
        #expect(
            read("", more: #""slug_field":"slug","requires_one_of":[["title","nope"],[]],"#) == [
                "unknown_field thing.json#/slug_field", "unknown_field thing.json#/requires_one_of/0",
                "type thing.json#/requires_one_of/1",
            ])
        let files: [(name: String, bytes: [UInt8])] = [
            ("a.json", Array("{".utf8)), ("b.json", Array("[]".utf8)), ("c.json", ContentFixture.thingFile("").bytes),
        ]
        let found = problems { _ = try ContentTypes(files: files, kinds: ContentFixture.kinds) }
        #expect(found.contains("format a.json#"))
        #expect(found.contains("type b.json#"))
        #expect(found.contains("format c.json#/name"))
    }

    @Test("two files for the same type are rejected")
    func doubledTypes() {
        let file = ContentFixture.thingFile("")
        #expect(
            problems { _ = try ContentTypes(files: [file, ("thing2.json", file.bytes)], kinds: ContentFixture.kinds) }
                == [
                    "format thing2.json#/name"
                ])
    }

    @Test("the title must exist, be a text and be required")
    func title() {
        func read(_ title: String) -> [String] {
            let document = """
                {"name":"t","label":"T","plural":"T","help":"h","kind":"other","title_field":"title","fields":[\(title)]}
                """
            return problems {
                _ = try ContentTypes(files: [("t.json", Array(document.utf8))], kinds: ContentFixture.kinds)
            }
        }
        #expect(read("") == ["unknown_field t.json#/title_field"])
        #expect(read(#"{"name":"title","label":"T","help":"h","type":"text"}"#) == ["type t.json#/title_field"])
        #expect(
            read(#"{"name":"title","label":"T","help":"h","type":"long_text","required":true}"#)
                == ["type t.json#/title_field"])
    }

    @Test(
        "an inconsistent field definition is rejected",
        arguments: [
            (#""type":"choice""#, "required thing.json#/fields/1/choices"),
            (#""type":"text","choices":[{"value":"a","label":"A"}]"#, "required thing.json#/fields/1/choices"),
            (
                #""type":"choice","choices":[{"value":"a","label":"A"},{"value":"a","label":"B"}]"#,
                "duplicate thing.json#/fields/1/choices"
            ),
            (#""type":"choice","choices":[{"value":"a"}]"#, "required thing.json#/fields/1/choices/0/label"),
            (#""type":"reference""#, "required thing.json#/fields/1/targets"),
            (#""type":"text","targets":["thing"]"#, "required thing.json#/fields/1/targets"),
            (#""type":"text","counted":true"#, "type thing.json#/fields/1/counted"),
            (#""type":"text","https_only":true"#, "type thing.json#/fields/1/https_only"),
            (#""type":"rich_text","preview":true"#, "type thing.json#/fields/1/preview"),
            (#""type":"text","preview":true,"internal":true"#, "type thing.json#/fields/1/internal"),
            (#""type":"integer","minimum":2,"maximum":1"#, "too_large thing.json#/fields/1/minimum"),
            (#""type":"text","minimum":1e300"#, "type thing.json#/fields/1/minimum"),
            (#""type":"text","minimum":1.5"#, "type thing.json#/fields/1/minimum"),
            (#""type":"text","max_length":0"#, "type thing.json#/fields/1/max_length"),
            (#""type":"integer","default":"1""#, "type thing.json#/fields/1/default"),
            (#""type":"text","default":" a""#, "format thing.json#/fields/1/default"),
        ])
    func senseless(field: String, problem: String) {
        #expect(read(#"{"name":"x","label":"X","help":"h",\#(field)}"#) == [problem])
    }

    /// The problems of a type of the kind `review`, which needs a title, a slug, a place and a rating from 1 to 5, and reads
    /// a count and parts.
    func readReview(_ fields: [String], slug: String = #""slug_field":"slug","#) -> [String] {
        let own = [
            #"{"name":"title","label":"T","help":"h","type":"text","required":true}"#,
            #"{"name":"slug","label":"S","help":"h","type":"text"}"#,
        ]
        let document = """
            {"name":"opinion","label":"O","plural":"O","help":"h","kind":"review","title_field":"title",\(slug)
             "fields":[\((own + fields).joined(separator: ","))]}
            """
        let (review, other) = (ContentType.Kind(rawValue: "review"), ContentType.Kind.other)
        return problems {
            _ = try ContentTypes(
                files: [ContentFixture.thingFile(""), ("opinion.json", Array(document.utf8))],
                kinds: ContentFixture.kinds,
                needs: [
                    review: [
                        .title, .slug, KindField("place", .reference, targets: [other]),
                        KindField("rating", .integer, range: 1...5),
                        KindField("count", .integer, .number, isRequired: false),
                        KindField("parts", .rows, isRequired: false, fields: [KindField("locale", .locale)]),
                    ]
                ])
        }
    }

    static func place(_ target: String) -> String {
        #"{"name":"place","label":"P","help":"h","type":"reference","required":true,"targets":["\#(target)"]}"#
    }

    static let place = place("thing")

    static func rating(_ more: String, type: String = "integer") -> String {
        #"{"name":"rating","label":"R","help":"h","type":"\#(type)",\#(more)}"#
    }

    static let right = rating(#""required":true,"minimum":1,"maximum":5"#)
    static let count = #"{"name":"count","label":"C","help":"h","type":"text"}"#
    static let parts = #"{"name":"parts","label":"P","help":"h","type":"rows","fields":[\#(count)]}"#

    /// Fields and the problems that they have.
    static let needed: [(fields: [String], problems: [String])] = [
        ([place, right], []),
        ([place, rating(#""default":3,"minimum":2,"maximum":4"#)], []),
        ([place, rating(#""minimum":1,"maximum":5"#)], ["required opinion.json#/fields/3/required"]),
        (
            [place, rating(#""required":true,"minimum":0,"maximum":6"#)],
            ["too_small opinion.json#/fields/3/minimum", "too_large opinion.json#/fields/3/maximum"]
        ),
        (
            [place, rating(#""required":true"#)],
            ["too_small opinion.json#/fields/3/minimum", "too_large opinion.json#/fields/3/maximum"]
        ),
        ([], ["required opinion.json#/fields", "required opinion.json#/fields"]),
        (
            [place, rating(#""required":true,"minimum":1,"maximum":5"#, type: "number")],
            ["type opinion.json#/fields/3/type"]
        ),
        ([place, right, count], ["type opinion.json#/fields/4/type"]),
        ([place("opinion"), right], ["reference opinion.json#/fields/2/targets"]),
        ([place, right, parts], ["required opinion.json#/fields/4/fields"]),
    ]

    @Test("what the read tables of a kind need is checked: fields, types, values and limits", arguments: Self.needed)
    func needs(fields: [String], problems: [String]) {
        #expect(readReview(fields) == problems)
    }

    @Test("a kind whose entries are found by slug needs the slug field slug")
    func slugField() {
        let fields = [Self.place, Self.right]
        #expect(readReview(fields, slug: "") == ["required opinion.json#/slug_field"])
        #expect(readReview(fields, slug: #""slug_field":"title","#) == ["required opinion.json#/slug_field"])
    }

    @Test("names are lowercase words of at most 63 characters", arguments: ["X", "1a", "a-b", "é", "_a"])
    func names(name: String) {
        #expect(
            read(#"{"name":"\#(name)","label":"X","help":"h","type":"text"}"#) == ["format thing.json#/fields/1/name"])
    }

    @Test("the longest name has 63 characters")
    func longNames() {
        func read(_ count: Int) -> [String] {
            let name = String(repeating: "a", count: count)
            return self.read(#"{"name":"\#(name)","label":"X","help":"h","type":"text"}"#)
        }
        #expect(read(63).isEmpty && !read(64).isEmpty)
    }
}
