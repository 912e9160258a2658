// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The values that a Firebase SDK in a browser keeps from the responses of a login, and its requests with them.
struct SDKVisit: Sendable {
    private static let wire = AccountWire(apiKey: HostileTarget.pageKey, providerID: HostileTarget.providerID)
    /// How much of the end of a page is read, in bytes: the data for its script follow its stylesheet and its logo.
    private static let readEnd = 16_384
    private static let longestData = 65_536

    private var ticket: (url: String, sessionID: String)?
    private var session: (idToken: String, refreshToken: String)?

    /// The part of a body that is read.
    static func end(of body: [UInt8]) -> ArraySlice<UInt8> { body.suffix(readEnd) }

    /// Keeps what a body hands over.
    ///
    /// - Returns: Where the script of the page goes next; `nil` if the body is no such page.
    mutating func keep(_ body: [UInt8]) -> String? {
        guard body.first == UInt8(ascii: "{") else { return keepPage(body) }
        guard session == nil, let reply = Self.object(body), let idToken = Self.text("idToken", in: reply),
            let refreshToken = Self.text("refreshToken", in: reply)
        else { return nil }
        session = (idToken, refreshToken)
        return nil
    }

    /// A request with what was kept; `nil` if that is missing.
    func request(_ request: HostileScript.SDKRequest) -> AccountWire.Request? {
        switch request {
        case .signIn: ticket.map { Self.wire.signIn(ticketURL: $0.url, sessionID: $0.sessionID) }
        case .lookup: session.map { Self.wire.lookup(idToken: $0.idToken) }
        case .refresh: session.map { Self.wire.refresh(refreshToken: $0.refreshToken) }
        }
    }

    private mutating func keepPage(_ body: [UInt8]) -> String? {
        guard let data = Self.data(ofPage: body) else { return nil }
        if let event = data["authEvent"]?.objectValue, let url = Self.text("urlResponse", in: event),
            let sessionID = Self.text("sessionId", in: event)
        {
            ticket = (url, sessionID)
        }
        return Self.text("next", in: data)
    }

    /// What a page hands to its script; `nil` if there is nothing.
    private static func data(ofPage body: [UInt8]) -> JSONObject? {
        let end = end(of: body)
        guard let element = end.firstRange(ofBytes: "<script type=\"application/json\"".utf8) else { return nil }
        let content = end[element.upperBound...].drop { $0 != UInt8(ascii: ">") }.dropFirst()
        return object(Array(content.prefix { $0 != UInt8(ascii: "<") }))
    }

    private static func object(_ bytes: [UInt8]) -> JSONObject? {
        try? JSONParser.object(bytes, limits: JSONLimits(maximumBytes: longestData))
    }

    private static func text(_ name: String, in object: JSONObject) -> String? {
        object[name]?.text?.visibleASCII(atMost: longestData)
    }
}
