// SPDX-License-Identifier: Apache-2.0

// Clients that sign in as users of their own. They need the apps and the accounts of `ours-limited.json`. What they are
// granted is counted, and the run fails if it is more than the limits allow.
extension HostileInput {
    /// Whether it signs in, and has a bound on what is granted.
    package var signsIn: Bool {
        switch self {
        case .unredeemedCodes, .unclaimedResults, .unconfirmedResults, .newAccounts, .sessionLookups,
            .sessionRefreshes:
            true
        default: false
        }
    }

    /// The number of results that the limits allow all connections together.
    ///
    /// - Parameters:
    ///   - seconds: The duration of the attack.
    ///   - networks: The number of networks from which accounts are made.
    ///   - connections: The number of concurrent connections from which they are made.
    /// - Returns: The number; `nil` if there is none, or each connection has a bound of its own.
    package func mostAccepted(seconds: Int, networks: Int, connections: Int) -> Int? {
        switch self {
        // 32 of a user at an app, each for a minute.
        case .unredeemedCodes: Self.codeIdentities * 32 * (1 + seconds / 60)
        // Ten minutes in 24 of 128 parts of the store; none takes less than 768 bytes, with 512 bytes of overhead.
        case .unconfirmedResults: (Self.storeBytes / 128 * 24 / 768) * (1 + seconds / 600)
        // 60 a minute of a network, which may come at once. An account is counted when it is created, so sign-ins in
        // parallel with the last allowed one may create some too.
        case .newAccounts: networks * (60 + 3 * seconds) + connections
        default: nil
        }
    }

    /// The size of the store in the target file, in bytes.
    package static let storeBytes = 16_777_216

    private static let codeIdentities = 8
    /// The number of users who have sessions.
    private static let sessionIdentities = 40

    /// Logins that end in a sign-in, and what an SDK asks after one; `nil` for other kinds.
    func signInScript(_ target: HostileTarget) -> HostileScript? {
        func logins(
            _ start: String, identities: Int?, _ accepted: String, shutOut: String? = nil
        ) -> [HostileScript.Step] {
            let result = HostileScript.Result(accepted: accepted, shutOut: shutOut)
            return (0..<8).flatMap { _ in
                [.send(target.get(Array(start.utf8))), .response, .signIn(identities: identities), .result(result)]
            }
        }
        /// - Parameter most: What a bucket allows in 15 seconds, the longest that a connection lasts, and some in reserve.
        func session(
            _ request: HostileScript.SDKRequest, times: Int, _ accepted: String, most: Int
        ) -> HostileScript {
            let start = target.get(Array(HostileTarget.sdkStart("signInViaPopup").utf8))
            let result = HostileScript.Step.result(HostileScript.Result(accepted: accepted))
            var steps: [HostileScript.Step] = [
                .send(start), .response, .signIn(identities: Self.sessionIdentities), .response, .ask(.signIn),
                .response,
            ]
            steps += (0..<times).flatMap { _ in [.ask(request), result] }
            return HostileScript(isHTTP2: false, isHandshake: false, steps: steps, mostAccepted: most)
        }
        let steps: [HostileScript.Step]
        switch self {
        case .unredeemedCodes:
            steps = logins(HostileTarget.start, identities: Self.codeIdentities, "code=")
        case .unclaimedResults:
            // A browser that has a result can always replace it, even if others have filled the store.
            steps = logins(
                HostileTarget.sdkStart("signInViaRedirect"), identities: 220, "oidc-broker=done",
                shutOut: "internal-error")
        case .unconfirmedResults:
            let start = HostileTarget.beginning(of: HostileTarget.clientID, redirectURI: "com.example.app:/callback")
            steps = logins(start, identities: 220, "\(HostileTarget.prefix)continue")
        case .newAccounts:
            let start = HostileTarget.beginning(
                of: HostileTarget.accountsClientID, redirectURI: "https://people.example.com/callback")
            steps = logins(start, identities: nil, "code=")
        // 120 and 30 a minute of a session, which may come at once.
        case .sessionLookups: return session(.lookup, times: 240, "\"users\"", most: 160)
        case .sessionRefreshes: return session(.refresh, times: 80, "\"refresh_token\"", most: 45)
        default: return nil
        }
        return HostileScript(
            isHTTP2: false, isHandshake: false, steps: steps, isOneBrowser: self == .unclaimedResults)
    }
}
