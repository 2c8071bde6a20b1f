// Manages media and external images: adds, changes, deletes, verifies and retries them.

extension Services {
    package var ingestImage: IngestImage {
        IngestImage(database: database, processor: library.processor, files: library.files)
    }
    package var receiveUpload: ReceiveUpload { ReceiveUpload(database: database, library: library) }
    package var replaceMedia: ReplaceMedia {
        ReplaceMedia(database: database, processor: library.processor, files: library.files)
    }
    package var cropMedia: CropMedia {
        CropMedia(database: database, processor: library.processor, files: library.files)
    }
    package var updateMedia: UpdateMedia { UpdateMedia(database: database) }
    package var deleteMedia: DeleteMedia { DeleteMedia(database: database) }
    package var verifyMedia: VerifyMedia { VerifyMedia(database: database, files: library.files) }
    package var retryExternalImage: RetryExternalImage { RetryExternalImage(database: database) }
}
