// SPDX-License-Identifier: Apache-2.0

/// The kinds of input that `hostile-traffic` sends. Their content is in ``script(for:)``.
package enum HostileInput: String, Sendable, Hashable, CaseIterable {
    // Tokens.
    case tokenMarks = "marks in a token's alg"
    case tokenNames = "marks in a token's member names"
    case tokenNesting = "deep JSON in a token"
    case tokenNumber = "a long number in a token"
    case tokenNumbers = "many numbers in a token"
    // Forms.
    case clientMarks = "marks in client_id"
    case grantMarks = "marks in grant_type"
    case providerMarks = "marks in provider"
    case nameMarks = "marks in a parameter's name"
    case parameters = "many parameters"
    case sameParameter = "one parameter many times"
    // Heads.
    case queryMarks = "marks in a query"
    case pathMarks = "marks in a path"
    case credentialMarks = "marks in Basic credentials"
    case fieldMarks = "marks in fields"
    case cookies = "many cookies"
    case fields = "many fields"
    // Callbacks.
    case junkCodes = "codes that were never issued"
    case errorCallbacks = "callbacks with an error"
    case foreignIssuers = "callbacks from another issuer"
    case abandonedStarts = "starts that are not finished"
    // Sign-ins.
    case unredeemedCodes = "codes that are not redeemed"
    case unclaimedResults = "results of redirects that are not claimed"
    case unconfirmedResults = "sign-ins without a click"
    case newAccounts = "new accounts of one network"
    case sessionLookups = "lookups of sessions"
    case sessionRefreshes = "refreshes of sessions"
    // Strangers.
    case foreignSubresources = "foreign subresources"
    case foreignNotifications = "notifications of no provider key"
    // Time.
    case slowHead = "a head, a byte a second"
    case slowBody = "a body, a byte a second"
    case unreadResponses = "responses that are not read"
    case silence = "a connection without a word"
    case idleConnections = "a request, then silence"
    case handshakes = "connections for nothing"
    case upgrades = "bytes behind a request for an upgrade"
    // TLS.
    case clientHellos = "a ClientHello, again and again"
    // HTTP/2.
    case stalledWindows = "h2: windows of no byte"
    case unreadPages = "h2: pages that are not read"
    case windowUpdates = "h2: window updates without effect"
    case strayFrames = "h2: frames that no request needs"
    case pings = "h2: pings beside open streams"
    case rapidResets = "h2: streams begun and reset"
    case slowStreams = "h2: bodies, a byte a second"
    case longBodies = "h2: long bodies without an end"
    case continuations = "h2: a head without an end"
    case headerTable = "h2: one field, a thousand references"
    case emptyData = "h2: DATA without a byte"
    case streamMarks = "h2: marks in :path"

    /// The name in the table.
    package var title: String { rawValue }

    /// Whether it requires HTTP/2.
    package var isHTTP2: Bool {
        switch self {
        case .stalledWindows, .unreadPages, .windowUpdates, .strayFrames, .pings, .rapidResets, .slowStreams,
            .continuations, .headerTable, .emptyData, .streamMarks, .longBodies:
            true
        default: false
        }
    }

    /// Whether it is bytes of a TLS handshake, which are sent as fast as they are answered.
    package var isHandshake: Bool { self == .clientHellos }

    /// Whether it requires TLS, which HTTP/2 does too.
    package var needsTLS: Bool { isHTTP2 || isHandshake }

    /// Whether it is a connection alone, without a byte of a request.
    package var isConnectionAlone: Bool { self == .silence || self == .handshakes }

    /// Returns the steps on one connection.
    package func script(for target: HostileTarget) -> HostileScript {
        signInScript(target)
            ?? HostileScript(
                isHTTP2: isHTTP2, isHandshake: isHandshake,
                steps: isHTTP2 ? streamSteps(target) : messageSteps(target))
    }

    private func messageSteps(_ target: HostileTarget) -> [HostileScript.Step] {
        if isHandshake { return [.send(TLSBytes.clientHello), .flight] }
        if let body = tokenBody ?? formBody { return Self.again(target.form(body.path, body.bytes)) }
        if let head = head(target) { return Self.again(head) }
        return loginSteps(target) ?? strangerSteps(target) ?? slowSteps(target)
    }

    /// A request and its response, four times on one connection.
    private static func again(_ request: [UInt8]) -> [HostileScript.Step] {
        (0..<4).flatMap { _ in [HostileScript.Step.send(request), .response] }
    }
}
