// Manages media and external images: adds, changes, deletes, verifies and retries them.

extension Services {
    package var ingestImage: IngestImage { IngestImage(database: database, files: encodedFiles) }
    package var receiveUpload: ReceiveUpload {
        ReceiveUpload(database: database, ingest: ingestImage, replace: replaceMedia, library: library)
    }
    package var replaceMedia: ReplaceMedia { ReplaceMedia(database: database, files: encodedFiles) }
    package var cropMedia: CropMedia { CropMedia(database: database, files: encodedFiles) }
    package var updateMedia: UpdateMedia { UpdateMedia(database: database) }
    package var deleteMedia: DeleteMedia { DeleteMedia(database: database) }
    package var verifyMedia: VerifyMedia { VerifyMedia(database: database, files: library.files) }
    package var retryExternalImage: RetryExternalImage { RetryExternalImage(database: database) }

    private var encodedFiles: EncodedFiles {
        EncodedFiles(database: database, processor: library.processor, files: library.files)
    }
}
