// Tests which endpoint a method and path lead to.
import HTTP
import Testing

@Suite("Router")
struct RouterTests {
    private let router: Router<String> = {
        var router = Router<String>()
        router.add("GET", "/", "home")
        router.add("GET", "/queue", "queue")
        router.add("POST", "/queue/{id}/decision", "decide")
        router.add("GET", "/queue/{id}", "item")
        router.add("GET", "/queue/new", "new")
        router.add("HEAD", "/queue/new", "head of new")
        router.add("DELETE", "/queue/{other}", "delete")
        router.add("GET", "/queue/new/{part}/x", "part")
        return router
    }()

    private func text(_ method: String, _ path: String) -> String {
        switch router.match(method, path) {
        case .found(let value, let parameters):
            ([value] + zip(parameters.names, parameters.values).map { "\($0)=\($1)" }).joined(separator: " ")
        case .methodNotAllowed(let allow): "allow " + allow.joined(separator: ",")
        case .notFound: "none"
        }
    }

    @Test(
        "A method and a path lead to their endpoint",
        arguments: [
            ("GET", "/", "home"), ("GET", "/queue", "queue"), ("GET", "/queue/7", "item id=7"),
            ("DELETE", "/queue/7", "delete other=7"), ("POST", "/queue/7/decision", "decide id=7"),
            ("GET", "/queue/new", "new"), ("GET", "/queue/a b%20é", "item id=a b%20é"),
            ("POST", "/queue/new/decision", "decide id=new"), ("GET", "/queue/new/p/x", "part part=p"),
        ])
    func found(method: String, path: String, wanted: String) {
        #expect(text(method, path) == wanted)
    }

    @Test("HEAD is handled by GET unless it has an endpoint of its own")
    func head() {
        #expect(text("HEAD", "/queue") == "queue")
        #expect(text("HEAD", "/queue/new") == "head of new")
        #expect(text("HEAD", "/queue/7/decision") == "allow OPTIONS,POST")
    }

    @Test("An unsupported method gets the list of allowed ones")
    func allowed() {
        #expect(text("PUT", "/queue/7") == "allow DELETE,GET,HEAD,OPTIONS")
        #expect(text("OPTIONS", "/queue") == "allow GET,HEAD,OPTIONS")
        #expect(text("get", "/queue") == "allow GET,HEAD,OPTIONS")
    }

    @Test(
        "A path that does not exactly match an endpoint is not found",
        arguments: [
            "/queue/", "/queue/7/", "//queue", "/queue//decision", "/queue/7/decision/x", "/Queue", "queue", "",
            "/queue/new/p",
        ])
    func notFound(path: String) {
        #expect(text("GET", path) == "none")
    }
}
