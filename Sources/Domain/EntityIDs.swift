// The things that have an id: names for `ID<Noun>`, without values of their own.

/// One thing that can be published, of one content type.
package enum Entry {}

/// An image in our own store.
package enum Media {}

/// An immutable version of an entry's content.
package enum Revision {}

/// Something sent in, as received and as cleaned.
package enum Submission {}

/// Changes that go live together.
package enum Release {}

/// A link to the read image of another instant.
package enum Preview {}

/// A person of the staff.
package enum Account {}

/// An application with credentials of its own.
package enum APIClient {}

/// Another server that is told what was published.
package enum Webhook {}

/// One thing that a webhook is told.
package enum WebhookDelivery {}

/// One thing of a catalog: a film, a book, a restaurant.
package enum CatalogItem {}

/// A message to a person, on its way or sent.
package enum Mail {}

/// A time in which a person of the staff is signed in on one device.
package enum Session {}

/// An action on many submissions at once.
package enum BulkAction {}

/// A list with its filters, under a name.
package enum SavedView {}
