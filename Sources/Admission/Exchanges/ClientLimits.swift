// SPDX-License-Identifier: Apache-2.0

/// The limits of one client at one provider on resources that all clients share. An IPv6 /56 network has
/// four times and a /48 network eight times these limits. They are constants and not configurable.
package struct ClientLimits: Sendable, Hashable {
    /// The maximum number of concurrent requests to the provider.
    package var exchanges = 128
    /// The maximum number of claims of returned logins within their lifetime of ten to twenty minutes.
    package var claims = 4_096
    /// The maximum number of failed requests of one kind to the provider within ``failureTurn`` to twice that time.
    /// Requests under way count as well, unless as many succeeded in that time.
    package var failures = 30
    /// The factor by which the limits on concurrent requests and on claims are larger for all providers together.
    package var providers = 4
    /// The minimum time for which failures are counted, in seconds.
    package var failureTurn: Int64 = 30
    /// The minimum time for which claims are counted, in seconds: the lifetime of a login.
    package var claimTurn: Int64 = 600
    /// The maximum number of keys in one turn of one table. Requests beyond that are allowed, because refusing them
    /// would let a client with many addresses block all others.
    package var networks = 65_536

    /// Creates the limits as they are unless a test says otherwise.
    package init() {}
}
