// The entities that have IDs: type parameters for `ID<Noun>`, without values.

/// A publishable item of one content type.
package enum Entry {}

/// An image in the media library.
package enum Media {}
package enum ExternalImage {}

/// An immutable version of an entry's content.
package enum Revision {}

/// Somebody who sends submissions, without an account.
package enum Contributor {}

/// A user submission, as received and as cleaned.
package enum Submission {}

/// What one reader reported about a published entry.
package enum Report {}

/// The reports of one entry that are decided together.
package enum ReportCase {}

/// Changes that are published together.
package enum Release {}

/// A link to a snapshot of the read tables at another time.
package enum Preview {}

/// A staff account.
package enum Account {}

/// An application with its own API credentials.
package enum APIClient {}

/// A page on which people without an account send submissions.
package enum SubmissionForm {}

/// A server that is notified of events.
package enum Webhook {}

/// One message to a webhook.
package enum WebhookDelivery {}

/// A catalog item: a film, a book, a restaurant.
package enum CatalogItem {}

/// An email, queued or sent.
package enum Mail {}

/// A signed-in session of an account on one device.
package enum Session {}

/// An action on many submissions at once.
package enum BulkAction {}

/// Queue filters saved under a name.
package enum SavedView {}
