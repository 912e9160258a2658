// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

extension RelyingParty {
    /// A document is a response with status 200 that does not call itself a page: what a captive portal or a login wall
    /// sends is named for what it is.
    func checkDocument(_ response: ProviderResponse, _ step: RelyingPartyError.Step) throws(RelyingPartyError) {
        guard response.status == 200 else { throw .status(step, response.status) }
        let type = MediaType.essence(of: response.contentType)
        guard type != "text/html", type != "application/xhtml+xml" else {
            throw .unusable(step, "the response is a page, not a document")
        }
    }

    /// No endpoint that is asked from here may name a private host where the issuer is public, nor a link-local address
    /// anywhere. The connected address is validated as well, whatever the name; this says sooner which endpoint it is, and
    /// holds where a proxy connects.
    func checkEndpointHosts(
        _ metadata: ProviderMetadata, _ addresses: ProviderTrust.Addresses
    ) throws(RelyingPartyError) {
        var endpoints: [(name: String, url: AbsoluteURL)] = [("jwks_uri", metadata.keySetURL)]
        for endpoint in MutualTLSEndpoint.allCases {
            for isMutualTLS in [false, true] {
                guard let url = metadata.endpoint(endpoint, isMutualTLS: isMutualTLS) else { continue }
                endpoints.append((endpoint.rawValue, url))
            }
        }
        for endpoint in endpoints {
            let isRefused =
                switch addresses {
                case .any, .privateOnly: ConnectedAddress.isLinkLocalHost(endpoint.url.host)
                case .publicOnly: ConnectedAddress.isPrivateHost(endpoint.url.host)
                }
            guard !isRefused else {
                throw .unusable(.discovery, "'\(endpoint.name)' is on a host that is not allowed for this provider")
            }
        }
    }
}
