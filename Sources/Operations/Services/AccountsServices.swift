// Manages accounts, sign-in and API clients.

extension Services {
    package var manageAccount: ManageAccount { ManageAccount(database: database) }
    package var manageRole: ManageRole { ManageRole(database: database) }
    package var invitePerson: InvitePerson { InvitePerson(database: database) }
    package var dismissChecklist: DismissChecklist { DismissChecklist(database: database) }
    package var manageClient: ManageClient { ManageClient(database: database) }
    package var setPassword: SetPassword { SetPassword(database: database, policy: signInPolicy) }
    package var changePassword: ChangePassword {
        ChangePassword(database: database, limits: SignInLimits(database: database, policy: signInPolicy))
    }
    package var saveAutosave: SaveAutosave { SaveAutosave(database: database) }
    package var signIn: SignIn { SignIn(database: database, policy: signInPolicy) }

    /// `rules`: the key and the roles of second factors.
    package func secondFactor(_ rules: SecondFactorRules) -> SecondFactor {
        SecondFactor(database: database, rules: rules, policy: signInPolicy)
    }
}
