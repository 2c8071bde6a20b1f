// Reads the configuration of the S3 bucket for images.

extension Settings.Media.Bucket {
    /// Nil without an endpoint; the other keys are ignored then.
    static func read(_ read: SettingsReader) -> Self? {
        let endpoint = read.optionalText("media.s3.endpoint", "S3-compatible store for images: https://s3.example.org.")
        let name = read.optionalText("media.s3.bucket", "Bucket that contains only these images.")
        let region = read.text("media.s3.region", "us-east-1", "Region for signing requests.")
        let keyID = read.optionalText("media.s3.key_id", "Access key id of the store.")
        let secret = read.secret("media.s3.secret", "Secret access key of the store.")
        let allowsPrivate = read.flag("media.s3.allow_private", false, "The store is internal or uses plain http.")
        guard let endpoint else { return nil }
        guard let name, let keyID, let secret else {
            read.refuse("media.s3.endpoint", "requires media.s3.bucket, media.s3.key_id and media.s3.secret")
            return nil
        }
        return Self(
            endpoint: endpoint, name: name, region: region, keyID: keyID, secret: secret, allowsPrivate: allowsPrivate)
    }
}
