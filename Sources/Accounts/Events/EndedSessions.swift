// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The sessions that a transaction ended of OpenID apps that hear of it.
struct EndedSessions {
    /// The apps, by client ID.
    let apps: [WireText: AccountListener]
    private let now: Int64
    private var sessions: [AccountSession] = []
    private var ids: Set<AccountSession.ID> = []

    init(of apps: [WireText: AccountListener], at now: Int64) {
        self.apps = apps
        self.now = now
    }

    /// Notes the end of a session.
    mutating func end(_ session: AccountSession) {
        guard session.wire == .app, session.app.map({ apps[WireText($0)] != nil }) ?? false,
            ids.insert(session.id).inserted
        else { return }
        sessions.append(session)
    }

    /// Notes the end of a session that goes on until now. Of others the app does not hear, or has heard.
    mutating func endUnlessExpired(_ session: AccountSession) {
        if session.expiry > now { end(session) }
    }

    /// Notes that a session was removed and comes back.
    mutating func goesOn(_ session: AccountSession) {
        guard ids.remove(session.id) != nil else { return }
        sessions.removeAll { $0.id == session.id }
    }

    /// What the apps are told.
    var events: [(AccountEvent, AccountListener)] {
        sessions.compactMap { session in
            guard let listener = session.app.flatMap({ apps[WireText($0)] }),
                let event = AccountEvent(endOf: session, at: now)
            else { return nil }
            return (event, listener)
        }
    }
}

extension AccountListener {
    /// Creates the listener of an app that hears of the end of its sessions.
    package convenience init(logoutsOf clientID: String) { self.init(destination: "logout:" + clientID) }
}

extension AccountEvent {
    /// Creates what an app is told of the end of a session: the claims of the logout token that say whose session it was,
    /// and which one (OpenID Connect Back-Channel Logout 1.0 section 2.4). `nil` if its claims cannot be read.
    fileprivate init?(endOf session: AccountSession, at time: Int64) {
        guard let subject = session.grant?.object?["sub"] else { return nil }
        let claims: JSONObject = ["sub": subject, "sid": .string(Base64URL.encode(session.id.bytes))]
        self.init(
            id: Base64URL.encode(SecureRandom.bytes(16)), type: "session.ended", account: session.account, time: time,
            json: String(decoding: claims.serialized(), as: UTF8.self))
    }
}
