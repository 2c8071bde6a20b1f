// Writes entries and categories.

extension Services {
    package var writeEntry: WriteEntry { WriteEntry(database: database, rules: content) }
    package var planEntryBulkAction: PlanEntryBulkAction { PlanEntryBulkAction(database: database, rules: content) }
    package var runEntryBulkAction: RunEntryBulkAction { RunEntryBulkAction(database: database, rules: content) }
    package var undoEntryBulkAction: UndoEntryBulkAction { UndoEntryBulkAction(database: database, rules: content) }
    package var updateText: UpdateText { UpdateText(database: database, rules: content) }
    package var updateSettings: UpdateSettings { UpdateSettings(database: database, rules: content) }
    package var createCategory: CreateCategory { CreateCategory(database: database, rules: content) }
    package var renameCategory: RenameCategory { RenameCategory(database: database, rules: content) }
    package var moveCategory: MoveCategory { MoveCategory(database: database, rules: content) }
    package var mergeCategory: MergeCategory { MergeCategory(database: database, rules: content) }
    package var reorderCategories: ReorderCategories { ReorderCategories(database: database, rules: content) }
    package var archiveCategory: ArchiveCategory { ArchiveCategory(database: database) }
    package var retryTask: RetryTask { RetryTask(database: database) }
}
