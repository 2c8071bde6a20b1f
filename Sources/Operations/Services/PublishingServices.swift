// Publishes, previews and moves content.

extension Services {
    package var publishRelease: PublishRelease { PublishRelease(database: database) }
    package var composeRelease: ComposeRelease { ComposeRelease(database: database) }
    package var managePreview: ManagePreview { ManagePreview(database: database) }
    package var verifyReadTables: VerifyReadTables { VerifyReadTables(database: database) }
    package var exportRelease: ExportRelease { ExportRelease(database: database) }
    package var importRelease: ImportRelease { ImportRelease(database: database, rules: content) }
    package var exportBundle: ExportBundle { ExportBundle(database: database) }
}
