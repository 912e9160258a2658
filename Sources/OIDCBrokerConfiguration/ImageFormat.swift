// SPDX-License-Identifier: Apache-2.0

/// A format of images that every browser shows.
package enum ImageFormat {
    case png, jpeg, webP, svg

    /// The format of an image, by its first bytes; `nil` if it is another one.
    package init?(of bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webP
        } else if bytes.starts(with: Array("<svg".utf8)) || bytes.starts(with: Array("<?xml".utf8)) {
            self = .svg
        } else {
            return nil
        }
    }

    /// The media type of the format.
    package var mediaType: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .webP: "image/webp"
        case .svg: "image/svg+xml"
        }
    }
}
