// SPDX-License-Identifier: Apache-2.0

/// The sessions of browsers in which a user signed in without pages, so that `prompt=none` can be tried.
extension ProviderState {
    /// A session of a browser.
    struct Session: Sendable {
        let person: OpenIDProvider.Person
        /// The time of the sign-in, in seconds since 1970.
        let authTime: Int64
    }

    /// The lifetime of a session, in seconds.
    private static var sessionLifetime: Int64 { 3600 }
    /// The name of the cookie. Other servers of the same host get it too, whatever their port.
    private static var cookieName: String { "provider-session" }

    /// Returns the session of the browser; `nil` if no user is signed in there, or not recently enough for `max_age`.
    func session(of request: ReceivedRequest, for requested: RequestedAuthorization) -> Session? {
        let cookies = request.header("cookie")?.split(separator: ";") ?? []
        let name = Self.cookieName + "="
        guard let cookie = cookies.map({ $0.drop { $0 == " " } }).first(where: { $0.hasPrefix(name) }),
            let session = sessions.value(for: String(cookie.dropFirst(name.count)), now: now),
            requested.maximumAge.map({ now - session.authTime <= $0 }) ?? true
        else { return nil }
        return session
    }

    /// Returns the plan of a sign-in without pages with the cookie of a session that begins, if sessions are kept.
    mutating func beginningSession(_ plan: Plan) -> Plan {
        guard configuration.keepsSessions, let person = settings.automaticPerson else { return plan }
        let (id, now) = (Self.randomValue(), now)
        sessions.insert(
            Session(person: person, authTime: now), for: id, expiry: now + Self.sessionLifetime, now: now)
        let cookie = "\(Self.cookieName)=\(id); Path=/; HttpOnly; SameSite=Lax"
        return plan.adding(header: ("set-cookie", cookie))
    }
}

extension ResponsePlan {
    /// Returns the same plan with a header field in the response.
    fileprivate func adding(header: (name: String, value: String)) -> ResponsePlan {
        @Sendable func adding(to response: SentResponse) -> SentResponse {
            var response = response
            response.headers.append(header)
            return response
        }
        switch self {
        case .response(let response): return .response(adding(to: response))
        case .sign(let sign): return .sign { adding(to: sign()) }
        }
    }
}
