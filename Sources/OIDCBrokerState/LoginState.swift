// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDRelyingParty

/// The state of a login between its start and its callback. It is sealed in the `state` parameter and not stored.
package struct LoginState: Sendable, Hashable {
    /// The login ID, 16 random bytes.
    package var loginID: [UInt8]
    /// The time of the start, in seconds since 1970.
    package var issuedAt: Int64
    /// The name of the provider in the configuration.
    package var provider: String
    /// The hash of the provider's properties that must not change until the callback, 8 bytes.
    package var fingerprint: [UInt8]
    /// The name of the app in the configuration. It is empty for the login of an extension, which no app's name is.
    package var app: String
    /// The SHA-256 hash of the app's redirect URI, 32 bytes.
    package var redirectURIHash: [UInt8]
    /// The port of a loopback redirect URI, which is not part of the configuration; 0 for any other.
    package var loopbackPort: UInt16
    /// Whether the user chose the provider on the broker's page in this login.
    package var isChosen: Bool
    /// The `state` of the app; `nil` if it sent none.
    package var appState: String?
    /// The `nonce` of the app; `nil` if it sent none.
    package var appNonce: String?
    /// The decoded `code_challenge` of the app, 32 bytes; `nil` if it sent none.
    package var codeChallenge: [UInt8]?
    /// The `max_age` in seconds; `nil` if there is none.
    package var maximumAge: Int64?
    /// The scopes that are granted if the sign-in succeeds.
    package var scopes = GrantedScopes.none
    /// What the app asked for beyond the usual.
    package var requirements = LoginRequirements.none
    /// The span of the start, if it is sampled; otherwise `nil`. A version without spans refuses a state with it.
    package var start: TraceParent?
    /// How long the login may take, in seconds. A version without other lifetimes than ``lifetime`` refuses a state with
    /// one.
    package var maximumDuration = LoginState.lifetime
    /// What the login has instead of an app if it belongs to an extension; otherwise `nil`. A version without such logins
    /// refuses a state with it.
    package private(set) var ofExtension: ExtensionLogin?

    /// The bytes in the place of a missing challenge, which a flag tells from a challenge, and of a missing redirect URI.
    private static let noChallenge = [UInt8](repeating: 0, count: 32)

    /// Which optional fields the encoded state has, and the fields that are one bit.
    private struct Flags: OptionSet {
        let rawValue: UInt8

        static let isChosen = Flags(rawValue: 1)
        static let hasAppState = Flags(rawValue: 2)
        static let hasAppNonce = Flags(rawValue: 4)
        static let hasMaximumAge = Flags(rawValue: 8)
        static let lacksCodeChallenge = Flags(rawValue: 16)
        static let hasScopes = Flags(rawValue: 32)
        static let hasStart = Flags(rawValue: 64)
        static let hasRequirements = Flags(rawValue: 128)
    }

    /// The usual maximum duration of a login, in seconds. What waits for the user, as a choice or a logout, lives as long.
    package static let lifetime: Int64 = 600
    /// The longest maximum duration of a login, in seconds.
    package static let longestLifetime: Int64 = 3600
    /// The tolerance for a start in the future, in seconds, because the clocks of replicas differ.
    package static let clockSkew: Int64 = 60

    /// Whether the login has expired or has not begun at the given time.
    package func isStale(at now: Int64) -> Bool {
        issuedAt <= now - maximumDuration || issuedAt > now + Self.clockSkew
    }

    /// Leaves only the hash of the app's `state` here, because the rest of it goes into the login's cookie: what goes to
    /// the provider in a URL must not be longer than every provider takes.
    /// - Returns: The app's `state`; `nil` if there is none.
    package mutating func keepAppStateInCookie() -> String? {
        guard let appState else { return nil }
        requirements.appStateHash = LoginRequirements.hash(of: appState)
        self.appState = nil
        return appState
    }

    /// Takes the app's `state` from the login's cookie, if it is there.
    /// - Parameter kept: A closure that reads it from the cookie.
    /// - Returns: Whether the app's `state` is now what it was at the start.
    package mutating func restoreAppState(from kept: () -> String?) -> Bool {
        guard let hash = requirements.appStateHash else { return true }
        guard let kept = kept(), ConstantTime.equal(LoginRequirements.hash(of: kept), hash) else { return false }
        requirements.appStateHash = nil
        appState = kept
        return true
    }

    /// The state as it is sealed.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(raw: loginID)
        writer.write(issuedAt)
        writer.write(counted: provider.utf8)
        writer.write(raw: fingerprint)
        writer.write(counted: app.utf8)
        writer.write(raw: redirectURIHash)
        writer.write(loopbackPort)
        writer.write(raw: codeChallenge ?? Self.noChallenge)
        writer.write(flags.rawValue)
        if let appState { writer.write(counted: appState.utf8) }
        if let appNonce { writer.write(counted: appNonce.utf8) }
        if let maximumAge { writer.write(maximumAge) }
        if scopes != .none { scopes.write(to: &writer) }
        if requirements != .none { requirements.write(to: &writer) }
        if let start { writer.write(raw: start.bytes) }
        if let ofExtension { ofExtension.write(to: &writer) }
        // All flags are taken. Nothing can be cut off a sealed state, so its length tells.
        if maximumDuration != Self.lifetime { writer.write(UInt16(clamping: maximumDuration)) }
        return writer.bytes
    }

    private var flags: Flags {
        var flags: Flags = []
        if isChosen { flags.insert(.isChosen) }
        if appState != nil { flags.insert(.hasAppState) }
        if appNonce != nil { flags.insert(.hasAppNonce) }
        if maximumAge != nil { flags.insert(.hasMaximumAge) }
        if codeChallenge == nil { flags.insert(.lacksCodeChallenge) }
        if scopes != .none { flags.insert(.hasScopes) }
        if start != nil { flags.insert(.hasStart) }
        if requirements != .none { flags.insert(.hasRequirements) }
        return flags
    }

    /// Reads a state; `nil` if it is not one that was ``encoded``.
    package init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard let loginID = reader.read(16), let issuedAt = reader.readInt64(),
            let provider = reader.readCountedString(), let fingerprint = reader.read(8),
            let app = reader.readCountedString(), let redirectURIHash = reader.read(32),
            let loopbackPort = reader.readUInt16(), let codeChallenge = reader.read(32),
            let flags = reader.readByte().map({ Flags(rawValue: $0) }),
            !flags.contains(.lacksCodeChallenge) || codeChallenge == Self.noChallenge
        else { return nil }
        var appState: String?
        var appNonce: String?
        var maximumAge: Int64?
        if flags.contains(.hasAppState) {
            guard let value = reader.readCountedString() else { return nil }
            appState = value
        }
        if flags.contains(.hasAppNonce) {
            guard let value = reader.readCountedString() else { return nil }
            appNonce = value
        }
        if flags.contains(.hasMaximumAge) {
            guard let value = reader.readInt64() else { return nil }
            maximumAge = value
        }
        var scopes = GrantedScopes.none
        if flags.contains(.hasScopes) {
            guard let value = GrantedScopes(from: &reader), value != .none else { return nil }
            scopes = value
        }
        var requirements = LoginRequirements.none
        if flags.contains(.hasRequirements) {
            guard let value = LoginRequirements(from: &reader), value != .none else { return nil }
            requirements = value
        }
        var start: TraceParent?
        if flags.contains(.hasStart) {
            guard let value = reader.read(TraceParent.byteCount).flatMap({ TraceParent(bytes: $0) }), value.isSampled
            else { return nil }
            start = value
        }
        var ofExtension: ExtensionLogin?
        if app.isEmpty {
            guard let value = ExtensionLogin(from: &reader) else { return nil }
            ofExtension = value
        }
        var maximumDuration = Self.lifetime
        if !reader.isAtEnd {
            guard let value = reader.readUInt16().map(Int64.init), value > Self.lifetime, value <= Self.longestLifetime
            else { return nil }
            maximumDuration = value
        }
        guard reader.isAtEnd else { return nil }
        self.maximumDuration = maximumDuration
        self.loginID = loginID
        self.issuedAt = issuedAt
        self.provider = provider
        self.fingerprint = fingerprint
        self.app = app
        self.redirectURIHash = redirectURIHash
        self.loopbackPort = loopbackPort
        isChosen = flags.contains(.isChosen)
        self.appState = appState
        self.appNonce = appNonce
        self.codeChallenge = flags.contains(.lacksCodeChallenge) ? nil : codeChallenge
        self.maximumAge = maximumAge
        self.scopes = scopes
        self.requirements = requirements
        self.start = start
        self.ofExtension = ofExtension
    }

    /// Creates the state of an app's login.
    package init(
        loginID: [UInt8],
        issuedAt: Int64,
        provider: String,
        fingerprint: [UInt8],
        app: String,
        redirectURIHash: [UInt8],
        loopbackPort: UInt16,
        isChosen: Bool,
        appState: String?,
        appNonce: String?,
        codeChallenge: [UInt8]?,
        maximumAge: Int64?,
        scopes: GrantedScopes = .none,
        requirements: LoginRequirements = .none,
        start: TraceParent? = nil
    ) {
        self.loginID = loginID
        self.issuedAt = issuedAt
        self.provider = provider
        self.fingerprint = fingerprint
        self.app = app
        self.redirectURIHash = redirectURIHash
        self.loopbackPort = loopbackPort
        self.isChosen = isChosen
        self.appState = appState
        self.appNonce = appNonce
        self.codeChallenge = codeChallenge
        self.maximumAge = maximumAge
        self.scopes = scopes
        self.requirements = requirements
        self.start = start
    }

    /// Creates the state of a login that belongs to an extension.
    package init(
        loginID: [UInt8], issuedAt: Int64, provider: String, fingerprint: [UInt8], maximumAge: Int64?,
        requirements: LoginRequirements = .none, ofExtension login: ExtensionLogin
    ) {
        self.init(
            loginID: loginID, issuedAt: issuedAt, provider: provider, fingerprint: fingerprint, app: "",
            redirectURIHash: Self.noChallenge, loopbackPort: 0, isChosen: false, appState: nil, appNonce: nil,
            codeChallenge: nil, maximumAge: maximumAge, requirements: requirements)
        ofExtension = login
    }
}
