// The database roles of a deployment. Roles belong to the whole cluster, so each deployment has its own prefix.
import Domain
import Postgres

package struct Roles: Sendable {
    package let prefix: String
    package var owner: String { prefix + "_owner" }
    /// Serves requests. Its audit events name the account or client whose token or secret the request has.
    package var daemon: String { prefix + "_daemon" }
    /// The daemon while somebody signs in: writes sessions, links, passwords and second factors.
    package var signIn: String { prefix + "_sign_in" }
    /// The daemon's background work, such as scheduled releases.
    package var schedule: String { prefix + "_schedule" }
    /// The command line.
    package var `operator`: String { prefix + "_operator" }
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
    package var ofDaemon: [String] { [daemon, signIn, schedule, delivery, reader, guest] }

    /// The roles that the login of a process needs that only delivers.
    package var ofDelivery: [String] { [delivery, reader, guest] }

    var all: [String] { [owner, daemon, signIn, schedule, `operator`, delivery, reader, guest] }

    /// Replaces `@owner@`, `@daemon@`, `@sign_in@` and so on by the role names.
    func fill(_ text: String) -> String {
        all.reduce(text) { text, role in text.replacing("@\(role.dropFirst(prefix.count + 1))@", with: role) }
    }

    /// The role for audit events by this authority.
    package func name(of authority: Actor.Authority) -> String {
        switch authority {
        case .request: daemon
        case .signIn: signIn
        case .schedule: schedule
        case .operator: `operator`
        }
    }

    /// Creates missing roles, allows the connected user to act as each of them, and lets those of more trust do what the
    /// daemon may.
    var creation: String {
        let created = all.map { role in
            """
            do $$ begin
                if not exists (select from pg_roles where rolname = '\(role)') then create role \(role); end if;
                if not pg_has_role(current_user, '\(role)', 'member') then grant \(role) to current_user; end if;
            exception when duplicate_object or unique_violation then null;
            end $$;
            """
        }
        let members = [(daemon, signIn), (daemon, schedule), (signIn, `operator`), (schedule, `operator`)].map {
            role, member in
            """
            do $$ begin
                if not exists (select from pg_auth_members
                    where roleid = '\(role)'::regrole and member = '\(member)'::regrole) then grant \(role) to \(member); end if;
            exception when unique_violation then null;
            end $$;
            """
        }
        return (created + members).joined(separator: "\n")
    }
}
