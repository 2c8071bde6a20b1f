// What the frame of all pages asks about the signed-in person.
import Domain

extension AdminRequest {
    /// The failed background tasks that the account may see.
    var failedTasks: Int {
        guard let counts = session?.counts else { return 0 }
        return counts.failedTasks + (actor.may(.administer) ? counts.failedMessages : 0)
    }

    /// The content types that the account may create entries of. The two category groups are seeded; no more can be created.
    var creatableTypes: [ContentType] {
        guard actor.may(.suggest) else { return [] }
        return context.rules.types.all.filter { $0.kind != .categoryGroup && actor.scope.contains(type: $0.name) }
    }

    /// Whether the account may open the page at this path, whatever the query string and the fragment.
    func mayOpen(_ url: String) -> Bool {
        context.pages[String(url.prefix { !"?#".contains($0) })]?.isOpen(to: actor) ?? false
    }
}
