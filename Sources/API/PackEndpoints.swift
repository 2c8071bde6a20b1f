// What a pack adds to the API.
import Store

package struct PackEndpoints: PackPart {
    let endpoints: [APIEndpoint]

    package init(_ endpoints: [APIEndpoint]) { self.endpoints = endpoints }
}
