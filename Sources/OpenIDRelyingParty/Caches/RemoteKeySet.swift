// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import NIOCore
package import OpenIDConnect

/// The public keys of a party at a URL, its `jwks_uri`, fetched and cached under the rules for those of providers: one
/// request at a time, a cooldown for unknown keys, bounded size and time, and no private address unless the URL names one.
package final class RemoteKeySet: Sendable {
    /// The URL of the key set.
    package let url: AbsoluteURL
    private let transport: any ProviderTransport
    private let cache: KeySetCache

    /// Creates a key set, which is fetched when it is first used.
    package init(url: AbsoluteURL, transport: any ProviderTransport, elapsed: any ElapsedClock) {
        self.url = url
        self.transport = transport
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

    private func fetch(on eventLoop: any EventLoop) -> Eventual<FetchedDocument<KeySet>> {
        var request = ProviderRequest(
            url: url, authorization: nil, content: nil, maximumResponseBytes: RelyingParty.maximumKeySetBytes,
            deadline: .now() + RelyingParty.requestTimeout,
            trust: ProviderTrust(
                certificateAuthorities: nil,
                addresses: ConnectedAddress.isPrivateHost(url.host) ? .any : .publicOnly))
        request.owner = ObjectIdentifier(self)
        let url = url
        return Eventual.future(transport.execute(request, on: eventLoop)).flatMapErrorThrowing { error in
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
