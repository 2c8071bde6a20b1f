// What a pack adds to the admin: pages, their paths, and links in the navigation.
import Domain
import Store

package struct PackPages: PackPart {
    /// Links in the section of the content, in the language of the task.
    package typealias Navigation = @Sendable () -> [(label: String, url: String, permission: Permission)]

    /// For `{{url name}}` in templates; a name has one path among all packs.
    let patterns: [String: String]
    let endpoints: [AdminEndpoint]
    let navigation: Navigation

    package init<Path: AdminPath>(_ paths: Path.Type, _ endpoints: [AdminEndpoint], _ navigation: @escaping Navigation)
    {
        patterns = paths.patterns
        self.endpoints = endpoints
        self.navigation = navigation
    }
}
