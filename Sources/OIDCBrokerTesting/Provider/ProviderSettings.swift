// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

/// The settings that the providers for tests have in common: where one listens, who signs in, and how it behaves.
public struct ProviderSettings<Person: Sendable, Misbehavior: Sendable>: Sendable {
    /// The host or address to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    public var port = 0
    /// The host in the issuer and so in every URL of the metadata; `nil` if it is ``host``.
    public var issuerHost: String?
    /// The certificate for TLS; `nil` for plain http, which a client accepts only from a loopback issuer.
    public var certificate: DevelopmentCertificate?
    /// The users who can sign in.
    public var people: [Person]
    /// How a user completes the authorization endpoint.
    public var interaction: OpenIDProvider.Interaction
    /// The signature algorithm of ID tokens.
    public var signingAlgorithm: OpenIDProvider.SigningAlgorithm
    /// The clock for all times that are issued or validated.
    public var clock: any UnixClock = SystemUnixClock()
    /// The misbehavior, at first; a running provider can be given another one.
    public var misbehavior: Misbehavior
    /// Whether requests are kept for a test to look at. Benchmarks switch this off.
    public var recordsRequests = true

    package init(
        people: [Person], signingAlgorithm: OpenIDProvider.SigningAlgorithm, certificate: DevelopmentCertificate?,
        interaction: OpenIDProvider.Interaction, misbehavior: Misbehavior
    ) {
        self.people = people
        self.signingAlgorithm = signingAlgorithm
        self.certificate = certificate
        self.interaction = interaction
        self.misbehavior = misbehavior
    }

    /// The user who signs in without interaction; `nil` if the pages ask, or there is no such user.
    package var automaticPerson: Person? {
        guard case .automatic(let index) = interaction, people.indices.contains(index) else { return nil }
        return people[index]
    }

    /// Returns the origin of a listener with this port.
    package func origin(port: Int) -> String {
        let host = issuerHost ?? host
        let scheme = certificate == nil ? "http" : "https"
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
