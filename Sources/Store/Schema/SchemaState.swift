// Whether the schema of a database matches this program, or an older or newer one.
import Domain
import Postgres

package enum SchemaState: Sendable, Equatable {
    case current
    /// An older program migrated the database: the steps that are missing, in order.
    case pending([String])
    /// The database was migrated with these packs, separated by blanks; the configuration has fewer.
    case otherPacks(String)
    /// A newer program migrated the database: its version. Its functions would be replaced by older ones.
    case newer(String)

    /// Why a daemon can't use the schema and what to do; nil if it can.
    package var problem: String? {
        switch self {
        case .current: nil
        case .pending(let steps): "\(steps.count) migrations are pending; run vitrine migrate"
        case .otherPacks(let packs):
            "the database was migrated with other packs; set packs (VITRINE_PACKS) to \"\(packs)\", or run vitrine migrate"
        case .newer: refusal
        }
    }

    /// What to do about a newer schema; nil for the others.
    package var refusal: String? {
        guard case .newer(let version) = self else { return nil }
        return "A newer program (vitrine \(version)) migrated this database. Run that version or a later one; to go "
            + "back, restore a backup."
    }
}

extension Schema {
    /// How the schema relates to this program of `version`. Throws `MigrationError.changed` if an applied migration was
    /// edited.
    package func state(version: String) async throws -> SchemaState {
        try await StoreFailure.translating {
            let isThere: Bool = try await client.one(
                """
                select to_regclass('vitrine.migration') is not null and to_regclass('projection.installation') is not null
                """)(0)
            guard isThere else { return .pending(try await pending()) }
            let found = try await client.one(
                """
                select (select m.applied_by from vitrine.migration m
                    where m.name <> all(\(packs.migrationNames)::text[])
                        and split_part(m.name, '/', 1) = any(\(packs.all.map(\.name))::text[])
                        order by m.applied_at desc limit 1) as migrated_by,
                    (\(raw: newerFunctions(than: version))) as installed_by,
                    (select i.packs from projection.installation i
                        where i.checksum = (select min(r.checksum) from projection.read_table r)) as packs,
                    (select count(*) from projection.read_table where checksum = \(checksum)) as installed
                """)
            if let newer = try found("migrated_by") ?? found("installed_by") as String? { return .newer(newer) }
            var missing = try await pending()
            let installed: Int = try found("installed")
            if installed != packs.projectedTables.count {
                if missing.isEmpty, let others: String = try found("packs"), others != packNames {
                    return .otherPacks(others)
                }
                missing.append("functions")
            }
            return missing.isEmpty ? .current : .pending(missing)
        }
    }

    /// Refuses to continue if a newer program migrated the database.
    func refuseNewer(than version: String) async throws {
        if let refusal = try await state(version: version).refusal {
            throw Failure.refused(code: "newer_schema", message: refusal)
        }
    }

    /// A query for the version of the program that installed the functions, if it is newer than this one: its number is
    /// greater, or it is equal and it replaced the functions of this program with these packs.
    private func newerFunctions(than version: String) -> String {
        """
        select i.program_version from projection.installation i
        where i.checksum = (select min(r.checksum) from projection.read_table r) and i.checksum <> \(Self.quoted(checksum))
          and (\(Self.number("i.program_version")) > \(Self.number(Self.quoted(version)))
            or i.packs = \(Self.quoted(packNames))
                and \(Self.number("i.program_version")) = \(Self.number(Self.quoted(version)))
                and exists (select from projection.installation o where o.checksum = \(Self.quoted(checksum))))
        """
    }

    private var packNames: String { packs.names.joined(separator: " ") }

    /// Fails if a newer program has installed its functions in the meantime; `version` is that of this program.
    func guarding(_ version: String) -> String {
        """
        do $guard$ begin
            if exists (\(newerFunctions(than: version))) then
                raise exception 'A newer program has just migrated this database. Run that version or a later one.';
            end if;
        end $guard$;

        """
    }

    /// Records the functions of this program as installed.
    func recording(_ version: String) -> String {
        """
        insert into projection.installation (checksum, program_version, packs)
        values (\(Self.quoted(checksum)), \(Self.quoted(version)), \(Self.quoted(packNames)))
        on conflict (checksum) do update set installed_at = now(), program_version = excluded.program_version;
        """
    }

    /// The numbers of a version as an array, which compares like the version.
    private static func number(_ version: String) -> String {
        "coalesce(string_to_array(substring(\(version) from '^[0-9]+(?:[.][0-9]+)*'), '.')::integer[], '{}')"
    }
}
