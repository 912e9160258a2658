// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OpenIDConnect

/// The script for web apps, and the page that the SDK would otherwise open as a frame. Both are the same for all users.
struct SDKDocuments: Sendable {
    /// How long caches may keep the script, in seconds: an hour.
    static let maximumAge = 3600
    /// The path of the frame where the SDK believes to speak to an emulator, which is fixed in the SDK.
    static let emulatorIframePath = "/emulator/auth/iframe"

    private let scriptPath: String
    private let iframePaths: [String]

    /// - Parameter publicURL: The URL of the broker: its origin and the prefix of its paths, without a slash at the end.
    /// - Throws: ``AccountDocumentsError/invalidPublicURL``.
    init(publicURL: String) throws {
        guard let url = AbsoluteURL(publicURL), url.query == nil, url.path.utf8.last != UInt8(ascii: "/") else {
            throw AccountDocumentsError.invalidPublicURL
        }
        scriptPath = url.path + "/sdk.js"
        iframePaths = [url.path + "/iframe", Self.emulatorIframePath]
    }

    /// Finds a document by the bytes of its path.
    /// - Returns: What responds to a request; `nil` if there is none at the path.
    func document(at path: String) -> (@Sendable (BrokerRequest) -> BrokerResponse)? {
        if path.hasSameBytes(as: scriptPath) { return { Self.script($0) } }
        guard iframePaths.contains(where: { path.hasSameBytes(as: $0) }) else { return nil }
        return { Self.iframe($0.method) }
    }

    /// A browser compares `integrity` only where it may read the script, so any page may.
    private static func script(_ request: BrokerRequest) -> BrokerResponse {
        var response = BrokerResponse.publicDocument(scriptDocument, maximumAge: maximumAge, to: request)
        response.head.headerFields[.crossOriginResourcePolicy] = "cross-origin"
        if response.head.status == .ok {
            response.head.headerFields[.contentType] = "text/javascript; charset=utf-8"
        }
        return response
    }

    private static let scriptDocument = PublicDocument(ByteBuffer(string: SDKScript.text))

    private static func iframe(_ method: HTTPRequest.Method) -> BrokerResponse {
        guard method == .get || method == .head else { return .methodNotAllowed("GET, HEAD") }
        var response = BrokerResponse.plain(status: .ok, "")
        response.head.headerFields[.contentType] = "text/html; charset=utf-8"
        response.head.headerFields[.contentSecurityPolicy] = IframePage.contentSecurityPolicy
        // The frame is of a page that may demand this of all that it loads.
        response.head.headerFields[.crossOriginResourcePolicy] = "cross-origin"
        response.body = iframeBody
        return response
    }

    private static let iframeBody = ByteBuffer(string: IframePage.html)
}
