// The numbers that the navigation of every page shows, read with the session.
import Domain
import Postgres

/// Each number stops at `limit` + 1. Nil where the access scope of the account would make counting slow.
package struct FrameCounts: Sendable {
    package static let limit = 99

    package let pending: Int?
    /// Pending submissions that are assigned to the person.
    package let assigned: Int?
    /// Pending submissions that were resubmitted after the person requested changes.
    package let resubmitted: Int?
    /// Pending appeals, of everybody's rejections.
    package let appeals: Int?
    /// Open report cases.
    package let reports: Int?
    /// Mentions that the person has not seen.
    package let mentions: Int
    package let openReleases: Int?
    /// Releases that the person scheduled and that changes have opened again.
    package let reopenedReleases: Int
    package let failedTasks: Int
    /// Mails and webhook deliveries.
    package let failedMessages: Int
    package let failedMails: Int
    /// Webhooks that failed for so long that nothing is sent to them.
    package let disabledWebhooks: Int
    /// Whether the external classifier failed so often that it is only asked now and then.
    package let isClassifierFailing: Bool
    /// The newest publication: what counts published content counts it once for each.
    package let publication: TaggedNumber
    /// Entries by content type, and only of types in the scope.
    package let entries: [String: Int]

    init(json: JSONValue) {
        pending = json["pending"].flatMap(Self.number)
        assigned = json["assigned"].flatMap(Self.number)
        resubmitted = json["resubmitted"].flatMap(Self.number)
        appeals = json["appeals"].flatMap(Self.number)
        reports = json["reports"].flatMap(Self.number)
        mentions = json["mentions"].flatMap(Self.number) ?? 0
        openReleases = json["open_releases"].flatMap(Self.number)
        reopenedReleases = json["reopened_releases"].flatMap(Self.number) ?? 0
        failedTasks = json["failed_tasks"].flatMap(Self.number) ?? 0
        failedMessages = json["failed_messages"].flatMap(Self.number) ?? 0
        failedMails = json["failed_mails"].flatMap(Self.number) ?? 0
        disabledWebhooks = json["disabled_webhooks"].flatMap(Self.number) ?? 0
        isClassifierFailing = json["classifier_failing"] == .bool(true)
        publication = json["publication"]?.stringValue.flatMap { TaggedNumber($0) } ?? TaggedNumber.none
        entries = (json["entries"]?.objectValue ?? [:]).compactMapValues(Self.number)
    }

    private static func number(_ value: JSONValue) -> Int? { value.integerValue.map { Int($0) } }

    /// A JSON object for an account `a`. Each part reads at most `limit` rows of an index, except snoozed ones and those
    /// of types outside the scope.
    static let columns: SQL = """
        jsonb_build_object(
            'pending', case when a.groups is not null then null when a.types is null then (select count(*) from (
                    select from curation.queue_item q where \(awake) order by q.received_at, q.submission_id \(end)) x)
                else (select count(*) from unnest(a.types) t cross join lateral (
                    select from curation.queue_item q where q.type = t and \(awake)
                    order by q.type, q.received_at, q.submission_id \(end)) x) end,
            'assigned', \(queued("q.assigned_to = a.id")),
            'resubmitted', \(queued("q.resubmitted_to = a.id")),
            'appeals', \(queued("q.reopened_by = 'appeal'")),
            'reports', case when a.groups is null then (select count(*) from (
                select from curation.report_case c join curation.entry e on e.id = c.entry_id
                where c.decided_at is null and (a.types is null or e.type = any(a.types))
                  and exists (select from curation.report r where r.case_id = c.id) \(end)) x) end,
            'mentions', (select count(*) from (
                select from curation.mention m where m.account_id = a.id and m.seen_at is null \(end)) x),
            'open_releases', case when a.types is null and a.groups is null then (select count(*) from (
                select from curation.release r where r.state = 'open' \(end)) x) end,
            'reopened_releases', (select count(*) from (
                select from curation.release r
                where r.state = 'open' and r.reopened_local is not null
                  and coalesce(r.scheduled_by, r.created_by) = a.id \(end)) x),
            'failed_tasks', (select count(*) from (select from ops.task where state = 'failed' \(end)) x),
            'failed_messages', (select count(*) from (select from ops.outbox_message where state = 'failed' \(end)) x),
            'failed_mails', (select count(*) from (
                select from ops.outbox_message where state = 'failed' and webhook_id is null \(end)) x),
            'disabled_webhooks', (select count(*) from (select from ops.webhook where state = 'disabled' \(end)) x),
            'classifier_failing', exists (select from ops.classifier where open_until is not null),
            'publication', (select p.number || '-' || p.tag from api_v1.publication p order by p.number desc limit 1),
            'entries', case when a.groups is null then (
                select jsonb_object_agg(t.name, (select count(*) from (
                    select from curation.entry e where e.type = t.name \(end)) x))
                from curation.content_type t where a.types is null or t.name = any(a.types)) end)
        """

    /// How many of these items are awake and of a type in the scope.
    private static func queued(_ condition: SQL) -> SQL {
        """
        case when a.groups is null then (select count(*) from (
            select from curation.queue_item q
            where \(condition) and \(awake) and (a.types is null or q.type = any(a.types)) \(end)) x) end
        """
    }

    private static let awake: SQL = "(q.snoozed_until is null or q.snoozed_until <= now())"
    private static let end: SQL = "limit \(fixed: limit + 1)"
}
