// SPDX-License-Identifier: Apache-2.0

/// Which types the parts of a pipeline's requests and responses have.
public struct HTTPPartKind: Hashable, Sendable {
    enum Code {
        case http1
        case httpTypes
    }

    let code: Code

    /// `HTTPServerRequestPart` and `HTTPServerResponsePart` of NIOHTTP1.
    public static let http1 = HTTPPartKind(code: .http1)

    /// `HTTPRequestPart` and `HTTPResponsePart` of NIOHTTPTypes, as Hummingbird has them.
    public static let httpTypes = HTTPPartKind(code: .httpTypes)
}
