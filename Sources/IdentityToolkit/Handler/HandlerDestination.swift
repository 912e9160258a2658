// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerState

/// Where the result of a login at the handler page goes. It is what the configuration of the app allows.
enum HandlerDestination: Sendable, Hashable {
    /// The page that opened the window, at exactly this origin.
    case popup(origin: WebOrigin)
    /// A page of this origin, in the same window. Which one it is, the browser keeps.
    case redirect(origin: WebOrigin)
    /// An app on iOS, by the URL scheme that it registered.
    case ios(scheme: String)
    /// An app on Android, by the name of its package.
    case android(package: String)

    /// Reads where a start says that its result goes.
    /// - Throws: The parameter that is not what the configuration of the app says.
    init(_ query: HandlerQuery, _ delivery: AuthType.Delivery, for app: SDKApp) throws(HandlerStartError) {
        switch (app.kind, delivery) {
        case (.web, .popup): self = .popup(origin: try Self.origin(query, for: app))
        case (.web, .redirect): self = .redirect(origin: try Self.origin(query, for: app))
        case (.ios, .app): self = .ios(scheme: try Self.scheme(query, for: app))
        case (.android, .app): self = .android(package: try Self.package(query, for: app))
        case (.web, .app), (.ios, _), (.android, _), (.desktop, _): throw HandlerStartError(.notAllowed, .authType)
        }
    }

    private static func origin(_ query: HandlerQuery, for app: SDKApp) throws(HandlerStartError) -> WebOrigin {
        guard let origin = WebOrigin(ofPage: try query.required(.redirectURL).utf8) else {
            throw HandlerStartError(.invalid, .redirectURL)
        }
        // The SDK itself does not look when it was pointed at another server.
        // A page in another hybrid app would get it as well.
        guard app.allows(origin), !origin.isOfManyApps else { throw HandlerStartError(.notAllowed, .redirectURL) }
        return origin
    }

    private static func scheme(_ query: HandlerQuery, for app: SDKApp) throws(HandlerStartError) -> String {
        try match(.bundleID, app.native.bundleID.map { [$0] } ?? [], in: query)
        // The SDK sends the one whose scheme the app registered.
        if query[.clientID] != nil {
            try match(.clientID, app.native.oauthClientID.map { [$0] } ?? [], in: query)
            guard let scheme = app.native.oauthClientIDScheme else { throw HandlerStartError(.notAllowed, .clientID) }
            return scheme
        }
        try match(.googleAppID, app.native.googleAppID.map { [$0] } ?? [], in: query)
        guard let scheme = app.native.googleAppIDScheme else { throw HandlerStartError(.notAllowed, .googleAppID) }
        return scheme
    }

    private static func package(_ query: HandlerQuery, for app: SDKApp) throws(HandlerStartError) -> String {
        try match(.packageName, app.native.packageName.map { [$0] } ?? [], in: query)
        try match(.certificate, app.native.certificates, in: query)
        guard let package = app.native.packageName else { throw HandlerStartError(.notAllowed, .packageName) }
        return package
    }

    /// Refuses a parameter that is missing, or differs from all configured values.
    private static func match(
        _ parameter: HandlerParameter, _ configured: [String], in query: HandlerQuery
    ) throws(HandlerStartError) {
        let value = try query.required(parameter)
        guard configured.contains(where: { value.hasSameBytes(as: $0) }) else {
            throw HandlerStartError(.notAllowed, parameter)
        }
    }
}

// MARK: Encoding

extension HandlerDestination {
    /// Writes the kind (1 byte) and the text.
    func write(to writer: inout ByteWriter) {
        let (kind, text): (UInt8, String) =
            switch self {
            case .popup(let origin): (1, origin.text)
            case .redirect(let origin): (2, origin.text)
            case .ios(let scheme): (3, scheme)
            case .android(let package): (4, package)
            }
        writer.write(kind)
        writer.write(counted: text.utf8)
    }

    /// Reads what ``write(to:)`` wrote; `nil` if it did not write this.
    init?(from reader: inout ByteReader) {
        guard let kind = reader.readByte(), let text = reader.readCountedString() else { return nil }
        switch kind {
        case 1:
            guard let origin = WebOrigin(text) else { return nil }
            self = .popup(origin: origin)
        case 2:
            // An earlier version wrote the whole URL.
            guard let origin = WebOrigin(ofPage: text.utf8) else { return nil }
            self = .redirect(origin: origin)
        case 3: self = .ios(scheme: text)
        case 4: self = .android(package: text)
        default: return nil
        }
    }
}
