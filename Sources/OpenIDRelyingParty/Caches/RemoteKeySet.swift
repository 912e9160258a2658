// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import NIOCore
package import OpenIDConnect

/// The public keys of a party at a URL, its `jwks_uri`, fetched and cached under the rules for those of providers: one
/// request at a time, a cooldown for unknown keys, and bounded size and time.
///
/// As for the issuer of a provider, the operator configured the URL: a host whose address is private is not a public one,
/// but a redirect or a later address of a public host never leads to a private one.
package final class RemoteKeySet: Sendable {
    /// The URL of the key set.
    package let url: AbsoluteURL
    /// The certificate authorities that are trusted, as PEM bytes; `nil` for the system's.
    package let certificateAuthorities: [UInt8]?
    private let transport: any ProviderTransport
    private let cache: KeySetCache
    private let trust: ProviderTrust

    /// Creates a key set, which is fetched when it is first used.
    /// - Parameter certificateAuthorities: The certificate authorities to trust, as PEM bytes; `nil` for the system's.
    package init(
        url: AbsoluteURL, certificateAuthorities: [UInt8]? = nil, transport: any ProviderTransport,
        elapsed: any ElapsedClock
    ) {
        self.url = url
        self.certificateAuthorities = certificateAuthorities
        self.transport = transport
        trust = ProviderTrust(
            certificateAuthorities: certificateAuthorities,
            addresses: ConnectedAddress.isPrivateHost(url.host) ? .any : .publicOnly)
        cache = KeySetCache(elapsed: elapsed)
    }

    /// Verifies a signature with the keys.
    /// - Returns: The payload. The error is a `JSONWebSignatureError` if the signature is refused, and a
    ///   ``RelyingPartyError`` if the keys cannot be fetched.
    package func verified(
        _ signature: JSONWebSignature, algorithms: Set<JSONWebAlgorithm>, on eventLoop: any EventLoop
    ) -> Eventual<VerifiedPayload> {
        signature.verified(
            by: cache.keySet(containing: signature.keyID, on: eventLoop) { self.fetch(on: $0) },
            or: { [self] in
                cache.keySetAfterMismatch(namesKey: signature.keyID != nil, on: eventLoop) { self.fetch(on: $0) }
            }, algorithms: algorithms, refusal: { $0 })
    }

    /// Fetches the keys once, for a diagnosis. The future fails with ``RelyingPartyError``.
    package func fetchOnce(on eventLoop: any EventLoop) -> EventLoopFuture<KeySet> {
        fetch(on: eventLoop).flatMapThrowing { $0.value }.future(on: eventLoop)
    }

    private func send(_ trust: ProviderTrust, on eventLoop: any EventLoop) -> Eventual<ProviderResponse> {
        var request = ProviderRequest(
            url: url, authorization: nil, content: nil, maximumResponseBytes: RelyingParty.maximumKeySetBytes,
            deadline: .now() + RelyingParty.requestTimeout, trust: trust)
        request.owner = ObjectIdentifier(self)
        request.accept = RelyingPartyError.Step.keySet.accept
        return .future(transport.execute(request, on: eventLoop))
    }

    private func fetch(on eventLoop: any EventLoop) -> Eventual<FetchedDocument<KeySet>> {
        let url = url
        return send(trust, on: eventLoop).flatMap {
            .value($0)
        } failure: { [self] error in
            guard error as? ProviderTransportError == .addressRefused else { return .failure(error) }
            // A host that has a private address and nothing else. Nothing has been sent yet.
            var wide = trust
            wide.addresses = .privateOnly
            return send(wide, on: eventLoop)
        }.flatMapErrorThrowing { error in
            throw RelyingPartyError.transport(.keySet, error as? ProviderTransportError ?? .unreachable, at: url)
        }.flatMapThrowing { response in
            guard response.status == 200 else { throw RelyingPartyError.status(.keySet, response.status) }
            do {
                return FetchedDocument(
                    try KeySet(json: Array(response.body.readableBytesView)),
                    lifetime: FreshnessLifetime(cacheControl: response.cacheControl))
            } catch {
                throw RelyingPartyError.unusable(.keySet, "\(error)")
            }
        }
    }
}
