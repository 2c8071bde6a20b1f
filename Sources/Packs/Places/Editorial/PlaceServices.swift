// The actions of places.
import Operations

extension Services {
    package var importEntries: ImportEntries {
        ImportEntries(database: database, rules: content, createCategory: createCategory)
    }
    package var movePromotion: MovePromotion { MovePromotion(database: database, write: writeEntry) }
}
