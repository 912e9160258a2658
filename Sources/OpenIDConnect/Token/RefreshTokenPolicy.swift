// SPDX-License-Identifier: Apache-2.0

/// What a client's refresh tokens may do (RFC 9700 section 4.14.2). Times are in seconds.
package struct RefreshTokenPolicy: Sendable, Hashable {
    /// How long a session lives without a refresh.
    package let idleLifetime: Int64
    /// How long a session lives in all.
    package let lifetime: Int64
    /// Whether each refresh replaces the token.
    package let rotates: Bool
    /// How long a replaced token may be repeated, 0 to 60.
    package let repetition: Int64
    /// Whether a refresh needs the claims by which the client decides.
    package let requiresClaims: Bool

    /// Creates a policy.
    package init(
        idleLifetime: Int64, lifetime: Int64, rotates: Bool, repetition: Int64, requiresClaims: Bool = false
    ) {
        self.idleLifetime = idleLifetime
        self.lifetime = lifetime
        self.rotates = rotates
        self.repetition = repetition
        self.requiresClaims = requiresClaims
    }
}
