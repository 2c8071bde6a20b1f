// Configures the limits of the HTTP server for each request.
import Domain
import HTTP
import Platform

extension ServerConfiguration {
    init(_ settings: Settings, _ site: Site) {
        self.init(host: settings.listen.host, port: settings.listen.port)
        headerTimeout = settings.http.headerTimeout
        bodyTimeout = settings.http.bodyTimeout
        bodyGrace = settings.http.bodyGrace
        minimumBodyRate = settings.http.minBodyRate
        idleTimeout = settings.http.idleTimeout
        maxConnections = settings.http.maxConnections
        let maxBytes = settings.http.maxBodyBytes
        bodyMemory = settings.http.bodyMemoryMegabytes << 20
        let maxImageBytes = settings.media.maxBytes
        bodyLimit = { site.bodyLimit($0, $1, maxBytes: maxBytes, maxImageBytes: maxImageBytes) }
        formLimit = { site.formLimit($0, $1) }
        admitsFirst = { Site.admitsFirst($0, $1, $2) }
        admission = { await site.admission($0) }
        fastPath = { site.fastPath($0) }
        let proxies = settings.http.trustedProxies
        clientAddress = { proxies.client(of: $0, forwardedFor: $1.all("X-Forwarded-For")) }
        isProxy = { proxies.isTrusted($0) }
        network = { ClientNetwork.all(of: $0)[0].name }
        refusal = { status, code, message, request in site.refusal(status, code, message, request) }
    }
}
