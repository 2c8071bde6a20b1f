// The database roles of a deployment. Roles belong to the whole cluster, so each deployment has its own prefix.
import Postgres

package struct Roles: Sendable {
    package let prefix: String
    package var owner: String { prefix + "_owner" }
    package var daemon: String { prefix + "_daemon" }
    package var delivery: String { prefix + "_delivery" }
    package var reader: String { prefix + "_reader" }
    package var guest: String { prefix + "_guest" }

    /// `prefix` contains only lowercase letters, digits and underscores, starts with a letter and has at most 40 characters.
    package init?(prefix: String) {
        guard let first = prefix.utf8.first, (0x61...0x7A).contains(first), prefix.utf8.count <= 40,
            prefix.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
        else { return nil }
        self.prefix = prefix
    }

    /// The default roles.
    package static let standard = Roles(checked: "vitrine")

    private init(checked prefix: String) {
        self.prefix = prefix
    }

    /// The roles that a daemon's login needs.
    package var ofDaemon: [String] { [daemon, delivery, reader, guest] }

    var all: [String] { [owner, daemon, delivery, reader, guest] }

    /// Replaces `@owner@`, `@daemon@`, `@delivery@`, `@reader@` and `@guest@` by the role names.
    func fill(_ text: String) -> String {
        text.replacing("@owner@", with: owner).replacing("@daemon@", with: daemon)
            .replacing("@delivery@", with: delivery).replacing("@reader@", with: reader)
            .replacing("@guest@", with: guest)
    }

    /// Creates missing roles and allows the connected user to act as each of them.
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
