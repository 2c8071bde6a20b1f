// Cities, places, promotions and reviews.
import API
import Admin
import CommandKit
import Domain
import Localization
import Store

extension Pack {
    package static let places: Pack = {
        var pack = Pack("places")
        pack.kinds = [.city, .place, .promotion, .review]
        pack.needs = [
            .city: [
                .title, .slug, KindField("center", .point), KindField("names", .longText, .text, isRequired: false),
                KindField("population", .integer, isRequired: false),
                KindField("south", .number, .integer, isRequired: false),
                KindField("west", .number, .integer, isRequired: false),
                KindField("north", .number, .integer, isRequired: false),
                KindField("east", .number, .integer, isRequired: false),
            ],
            .place: [
                .title, .slug, KindField("city", .reference, targets: [.city]), KindField("address", .text, .longText),
                KindField("point", .point), KindField("image", .image),
                KindField("categories", .references, targets: [.category]),
            ],
            .promotion: [
                .title, .slug, KindField("place", .reference, targets: [.place]), KindField("starts_at", .datetime),
                KindField("ends_at", .datetime),
            ],
            .review: [
                .title, KindField("place", .reference, targets: [.place]), KindField("rating", .integer, range: 1...5),
            ],
        ]
        pack.resolved = [
            ResolvedKind(.city, path: "/v1/cities/"), ResolvedKind(.place, path: "/v1/places/"),
            ResolvedKind(.promotion, path: "/v1/promotions/"),
            ResolvedKind(.review, path: "/v1/reviews/", hasSlug: false),
        ]
        pack.memberFields = [.city: "city"]
        pack.migrations = [
            Script("places/places", PackageResources.places_sql),
            Script("places/ratings", PackageResources.ratings_sql),
            Script("places/city_names", PackageResources.city_names_sql),
        ]
        pack.functions = [PackageResources.rating_count_sql, PackageResources.promotions_sql]
        pack.projections = [
            Projection("city", PackageResources.city_sql),
            Projection("place", PackageResources.place_sql),
            Projection("place_review", tables: ["review"], PackageResources.place_review_sql),
            Projection("promotion", PackageResources.promotion_sql),
            Projection(
                "category_city_count", key: ["city_id", "category_id"], PackageResources.category_city_count_sql),
        ]
        pack.dependencies = PackageResources.places_dependencies_sql
        pack.insertions = [
            "search_kinds": ", 'place'",
            "search_ends": "when 'promotion' then (r.content ->> 'ends_at')::timestamptz",
            "search_preview": "when 'review' then projection.truncate(r.preview ->> 'text', cut.length)",
            "search_text": "when 'review' then concat_ws(E'\\n', r.preview ->> 'text', r.preview ->> 'author')",
            "search_rows": """
            or l.kind in ('promotion', 'review') and exists (
                select from curation.live p where p.entry_id = (r.content ->> 'place')::uuid and p.kind = 'place')
            """,
            "member_kinds": ", 'place'",
            "member_city": "when 'place' then (r.content ->> 'city')::uuid",
            "member_coordinates": """
            when 'place' then projection.coordinates((r.content -> 'point' ->> 'lat')::double precision,
                (r.content -> 'point' ->> 'lon')::double precision)
            """,
            "count": "perform curation.count_ratings(p_publication);",
            "verify": """
            union all
            select 'rating_count', coalesce(n.place_id, t.place_id)::text || '/' || coalesce(n.rating, t.rating),
                   case when t.place_id is null then 'insert' when n.place_id is null then 'delete' else 'update' end
            from projection.rating_count n
            full join curation.rating_count t on t.place_id = n.place_id and t.rating = n.rating
            where n.n is distinct from t.n
            """,
            "repair": """
            delete from curation.rating_count t where not exists (select from projection.rating_count n
                where n.place_id = t.place_id and n.rating = t.rating and n.n = t.n);
            insert into curation.rating_count select * from projection.rating_count n
            on conflict (place_id, rating) do nothing;
            """,
            "events": """
            union all
            select c.number, 'promotion.started', c.key || '/' || ops.webhook_time(p.starts_at), p.starts_at,
                json_build_object('promotion', p.id, 'place', p.place_id)
            from api_v1.change c
            join api_v1.promotion p on p.id = case when c.read_table = 'promotion' then c.key::uuid end
            where c.number > (select change_number from curation.publication_counter)
              and c.read_table = 'promotion' and c.operation <> 'delete'
              and p.starts_at <= (select notified_until from curation.event_cursor) and p.ends_at > new.published_at
            """,
        ]
        pack.readTables = [
            ReadTable(
                "category_city_count", key: [("city_id", "uuid"), ("category_id", "uuid")], hasDocument: false),
            ReadTable("city"), ReadTable("place"), ReadTable("promotion"), ReadTable("review"),
        ]
        pack.defaults = PackageResources.places_defaults_json
        pack.bundle.excluded = ["curation.rating_count": "derived"]
        pack.bundle.counted = ["rating_count"]
        pack.tasks = [
            TaskKind(name: "notify_started_promotions", everySeconds: 5, if: .startedPromotions) { transaction, _ in
                _ = try await transaction.publications.notifyStarted()
            }
        ]
        pack.moments = { try await PromotionReads(connection: $0).boundaries() }
        pack.parts = [
            PackEndpoints(apiEndpoints),
            PackPages(PlacesURL.self, pages, navigation, schedule: PromotionPages.spans),
            PackCommands(EntryImportCommand.entries),
            PackPlanLabels(
                columns: { ["lat": tr("Latitude", context: "plan"), "lon": tr("Longitude", context: "plan")] },
                technical: ["names_key", "place_id", "rating_rank"]),
        ]
        return pack
    }()
}
