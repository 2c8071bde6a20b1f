// The part of the configuration that names a bucket for images.

extension Settings.Media.Bucket {
    /// Nil where no endpoint is given; then the rest means nothing.
    static func read(_ read: SettingsReader) -> Self? {
        let endpoint = read.optionalText("media.s3.endpoint", "Keep images in an S3 store: https://s3.example.org.")
        let name = read.optionalText("media.s3.bucket", "The bucket that holds nothing but them.")
        let region = read.text("media.s3.region", "us-east-1", "The region that requests are signed for.")
        let keyID = read.optionalText("media.s3.key_id", "The id of the store's key.")
        let secret = read.secret("media.s3.secret", "The secret of the store's key.")
        let allowsPrivate = read.flag("media.s3.allow_private", false, "The store is inside, or speaks plain http.")
        guard let endpoint else { return nil }
        guard let name, let keyID, let secret else {
            read.refuse("media.s3.endpoint", "needs media.s3.bucket, media.s3.key_id and media.s3.secret beside it")
            return nil
        }
        return Self(
            endpoint: endpoint, name: name, region: region, keyID: keyID, secret: secret, allowsPrivate: allowsPrivate)
    }
}
