// Makes another encryption key the one of the database, after the old key was lost.
import CommandKit
import Operations
import Platform

enum KeyCommand {
    private enum Arguments {
        static let confirm = Command.Option(
            "confirm", .text(placeholder: "FINGERPRINT"), "Fingerprint of the key to adopt.")
    }

    static let entries = [
        CommandEntry(
            "key", "adopt", summary: "Make the configured encryption key the one of this database.",
            details: """
                For recovery after the old key was lost; restore that key if you can. Without --confirm, shows the
                fingerprint and what the key can't open. Webhooks then need new secrets (webhook rotate), second factors
                must be set up again, and old status links and syndication URLs stop working. Restart all daemons
                afterwards.
                """,
            examples: [
                .init("key adopt", "show the fingerprint and the consequences"),
                .init("key adopt --confirm 6f1ed002ab5595859014ebf0951522d9", "adopt that key"),
            ],
            options: [
                Arguments.confirm,
                .init("data", .text(placeholder: "DIR"), "Data folder with the key.", setting: "data.dir"),
                CommandRun.json,
            ],
            run: adopt)
    ]

    private static func adopt(_ run: CommandRun) async throws -> ExitCode {
        let rules = try WebhookRules(try run.settings())
        let confirmed = run.arguments.text(Arguments.confirm)
        let plan = try await run.withDatabase { database, _ in
            let adopt = AdoptKey(database: database, rules: rules)
            if let confirmed { try await adopt(confirmed, by: run.operatorActor) }
            return try await adopt.plan(secondFactor: SecondFactorRules.purpose)
        }
        try run.report(
            [
                "fingerprint": plan.fingerprint, "adopted": plan.isAdopted, "webhooks": plan.webhooks,
                "second_factors": plan.secondFactors,
            ],
            """
            fingerprint: \(plan.fingerprint)\(plan.isAdopted ? " (the key of this database)" : "")
            webhooks that need a new secret: \(plan.webhooks)
            second factors that must be set up again: \(plan.secondFactors)
            """)
        return run.adoption(isAdopted: plan.isAdopted, isConfirmed: confirmed != nil, plan.fingerprint)
    }
}

extension CommandRun {
    /// What to do next after an adoption or its plan.
    func adoption(isAdopted: Bool, isConfirmed: Bool, _ text: String) -> ExitCode {
        if isConfirmed {
            Output.note("Adopted. Restart all daemons.")
        } else if !isAdopted {
            Output.note("Nothing was changed. To adopt it, run the command again with --confirm \(text).")
        }
        return isAdopted ? .ok : .usage
    }
}
