// A small image for uploads: a PNG of 40 by 30 gray pixels.
import Platform

package enum SmallImage {
    package static let bytes =
        Base64.decode(
            "iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAAAAAB7tgMBAAAAGElEQVR42mOIIhIwjCocVTiqcFThYFYIAL1JpfBm"
                + "PsmMAAAAAElFTkSuQmCC",
            .standard) ?? []
}
