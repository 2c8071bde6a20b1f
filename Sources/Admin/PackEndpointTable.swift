// The pages of the packs.

extension AdminSite {
    static let ofPacks: [String: [AdminEndpoint]] = [
        "routes": [
            .get(.routes, .may(.readQueue), .none, RoutePages.list),
            .get(.routesSimulate, .may(.createRelease), .none, RoutePages.simulate),
            .get(.route, .may(.readQueue), .none, RoutePages.show),
        ],
        "places": [
            .get(.promotions, .may(.readQueue), .none, PromotionPages.list),
            .get(.fileImport, .may(.edit), .none) { try await ImportPages.new($0) },
            .post(.fileImportPlan, .may(.edit), .operation, ImportPages.plan),
            .post(.fileImport, .may(.edit), .operation, ImportPages.apply),
        ],
        "lists": [
            .get(.catalog, .may(.readQueue), .none) { try await CatalogPages.list($0) },
            .post(.catalog, .may(.publish), .none, CatalogPages.setListed),
            .get(.catalogItem, .may(.readQueue), .none) { try await CatalogPages.show($0) },
            .post(.catalogItem, .may(.publish), .none, CatalogPages.move),
        ],
    ]
}
