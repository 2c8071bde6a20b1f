// Signing in, accounts and their sessions, roles, API clients, and what they did: method, path, who may use it, access scope,
// and its handler.
import Domain
import Store

extension AdminSite {
    static let signIn: [AdminEndpoint] = [
        // Sign in
        .get(AdminURL.login, .anyone, .none, SignInPages.show),
        .post(AdminURL.login, .anyone, .none, flags: [.takesDraft], SignInPages.signIn),
        .get(AdminURL.loginCode, .anyone, .none) { try await SignInCode.show($0) },
        .post(AdminURL.loginCode, .anyone, .none, flags: [.takesDraft], SignInCode.send),
        .get(AdminURL.loginLink, .anyone, .none, SignInPages.showLink),
        .post(AdminURL.loginLink, .anyone, .none, SignInPages.useLink),
        .post(AdminURL.logout, .may(.readQueue), .own, flags: [.beforeSecondFactor], SignInPages.signOut),
    ]

    static let accounts: [AdminEndpoint] = [
        // Account
        .get(AdminURL.accounts, .may(.administer), .unrestricted) { try await AccountPages.list($0) },
        .post(AdminURL.accounts, .may(.administer), .unrestricted, flags: [.creates], AccountPages.invite),
        .get(AdminURL.account, .may(.administer), .unrestricted) { try await AccountPages.show($0) },

        // Account action
        .post(AdminURL.accountInvite, .may(.administer), .unrestricted, flags: [.creates], AccountActionPages.invite),
        .post(AdminURL.accountLink, .may(.administer), .unrestricted, flags: [.creates], AccountActionPages.createLink),
        .post(AdminURL.accountRole, .may(.administer), .unrestricted, AccountActionPages.setRole),
        .post(AdminURL.accountDisable, .may(.administer), .unrestricted, AccountActionPages.disable),
        .post(AdminURL.accountEnable, .may(.administer), .unrestricted, AccountActionPages.enable),
        .post(AdminURL.accountSessionRevoke, .may(.administer), .unrestricted, AccountActionPages.revokeSession),
        .post(AdminURL.accountScope, .may(.administer), .unrestricted, AccountActionPages.setScope),
        .post(
            AdminURL.accountSecondFactorRemove, .may(.administer), .unrestricted, AccountActionPages.removeSecondFactor),

        // Role
        .get(AdminURL.roles, .may(.administer), .unrestricted) { try await RolePages.list($0) },
        .post(AdminURL.roles, .may(.administer), .unrestricted, flags: [.creates], RolePages.create),
        .get(AdminURL.role, .may(.administer), .unrestricted) { try await RolePages.show($0) },
        .post(AdminURL.role, .may(.administer), .unrestricted, RolePages.update),
        .get(AdminURL.roleDelete, .may(.administer), .unrestricted) { try await RolePages.confirm($0) },
        .post(AdminURL.roleDelete, .may(.administer), .unrestricted, RolePages.delete),

        // Session
        .get(AdminURL.ownAccount, .may(.readQueue), .own) { try await SessionPages.show($0) },
        .post(AdminURL.ownAccount, .may(.readQueue), .own, SessionPages.update),
        .get(AdminURL.ownSession, .may(.readQueue), .own, flags: [.quiet], SessionPages.current),
        .post(AdminURL.ownSessionRevoke, .may(.readQueue), .own, SessionPages.revoke),

        // Change password
        .get(AdminURL.ownPassword, .may(.readQueue), .own) { try await ChangePasswordPages.show($0) },
        .post(AdminURL.ownPassword, .may(.readQueue), .own, ChangePasswordPages.change),

        // Second factor
        .get(AdminURL.secondFactor, .may(.readQueue), .own, flags: [.beforeSecondFactor]) {
            try await SecondFactorPages.show($0)
        },
        .post(AdminURL.secondFactor, .may(.readQueue), .own, flags: [.beforeSecondFactor], SecondFactorPages.begin),
        .post(
            AdminURL.secondFactorVerify, .may(.readQueue), .own, flags: [.beforeSecondFactor], SecondFactorPages.verify),
        .post(
            AdminURL.secondFactorCodesRotate, .may(.readQueue), .own, flags: [.beforeSecondFactor],
            SecondFactorPages.rotateCodes),
        .post(
            AdminURL.secondFactorDelete, .may(.readQueue), .own, flags: [.beforeSecondFactor], SecondFactorPages.remove),

        // Password
        .get(AdminURL.password, .anyone, .none) { try PasswordPages.forgotPassword($0) },
        .post(AdminURL.password, .anyone, .none, PasswordPages.request),
        .get(AdminURL.passwordReset, .anyone, .none) { try await PasswordPages.show($0, .passwordReset) },
        .post(AdminURL.passwordReset, .anyone, .none) { try await PasswordPages.set($0, .passwordReset) },
        .get(AdminURL.invitation, .anyone, .none) { try await PasswordPages.show($0, .invitation) },
        .post(AdminURL.invitation, .anyone, .none) { try await PasswordPages.set($0, .invitation) },

        // Client
        .get(AdminURL.clients, .may(.administer), .unrestricted) { try await ClientPages.list($0) },
        .post(AdminURL.clients, .may(.administer), .unrestricted, flags: [.creates], ClientPages.create),
        .get(AdminURL.client, .may(.administer), .unrestricted) { try await ClientPages.show($0) },
        .post(AdminURL.clientLimit, .may(.administer), .unrestricted, ClientPages.setLimit),
        .post(AdminURL.clientRotate, .may(.administer), .unrestricted, flags: [.creates], ClientPages.rotate),
        .post(AdminURL.clientOldSecretRevoke, .may(.administer), .unrestricted, ClientPages.revokeOldSecret),
        .post(AdminURL.clientRevoke, .may(.administer), .unrestricted, ClientPages.revoke),

        // Audit
        .get(AdminURL.audit, .may(.administer), .unrestricted) { try await AuditPages.list($0) },
        .get(AdminURL.auditExport, .may(.administer), .unrestricted, AuditPages.export),
        .get(AdminURL.auditIntegrity, .may(.administer), .unrestricted, AuditPages.verify),
        .get(AdminURL.auditEvent, .may(.administer), .unrestricted) { try await AuditEventPage.show($0) },
    ]
}
