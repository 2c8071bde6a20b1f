// The database roles of one deployment; roles belong to the whole cluster, so each deployment has its prefix.
import Postgres

package struct Roles: Sendable {
    package let prefix: String
    package var owner: String { prefix + "_owner" }
    package var daemon: String { prefix + "_daemon" }
    package var delivery: String { prefix + "_delivery" }
    package var reader: String { prefix + "_reader" }
    package var guest: String { prefix + "_guest" }

    /// `prefix` may hold lower-case letters, digits and underscores only, and begins with a letter.
    package init?(prefix: String) {
        guard let first = prefix.utf8.first, (0x61...0x7A).contains(first), prefix.utf8.count <= 40,
            prefix.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
        else { return nil }
        self.prefix = prefix
    }

    /// The roles of a deployment that names no prefix.
    package static let standard = Roles(checked: "vitrine")

    private init(checked prefix: String) {
        self.prefix = prefix
    }

    var all: [String] { [owner, daemon, delivery, reader, guest] }

    /// Puts the names in the place of `@owner@`, `@daemon@`, `@delivery@`, `@reader@` and `@guest@`.
    func fill(_ text: String) -> String {
        text.replacing("@owner@", with: owner).replacing("@daemon@", with: daemon)
            .replacing("@delivery@", with: delivery).replacing("@reader@", with: reader)
            .replacing("@guest@", with: guest)
    }

    /// Makes the missing roles and lets the connected user action as each of them.
    var creation: String {
        all.map { role in
            """
            do $$ begin
                if not exists (select from pg_roles where rolname = '\(role)') then create role \(role); end if;
                if not pg_has_role(current_user, '\(role)', 'member') then grant \(role) to current_user; end if;
            exception when duplicate_object or unique_violation then null;
            end $$;
            """
        }.joined(separator: "\n")
    }
}
