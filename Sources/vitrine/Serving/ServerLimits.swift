// What the server takes of each request, by the configuration and by what the site says of its addresses.
import HTTP
import Platform

extension ServerConfiguration {
    init(_ settings: Settings, _ site: Site) {
        self.init(host: settings.listen.host, port: settings.listen.port)
        headerTimeout = settings.http.headerTimeout
        bodyTimeout = settings.http.bodyTimeout
        idleTimeout = settings.http.idleTimeout
        maxConnections = settings.http.maxConnections
        let most = settings.http.maxBodyBytes
        // A form that may bring a file is sent part by part: each of its fields is one.
        maxParts = maxFormFields
        let image = settings.media.maxBytes
        bodyLimit = { Site.bodyLimit($0, $1, most: most, image: image) }
        admitsFirst = { Site.admitsFirst($0, $1, $2) }
        admission = { await site.admission($0) }
        notModifiedFastPath = { site.notModifiedFastPath($0) }
        let proxies = settings.http.trustedProxies
        clientAddress = { proxies.client(of: $0, forwardedFor: $1.all("X-Forwarded-For")) }
        refusal = { status, code, message, request in site.refusal(status, code, message, request) }
    }
}
