// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

extension RelyingParty {
    /// Checks that a response is a document: it has status 200 and is not an HTML page, as a captive portal or a login
    /// page would send.
    func checkDocument(_ response: ProviderResponse, _ step: RelyingPartyError.Step) throws(RelyingPartyError) {
        guard response.status == 200 else { throw .status(step, response.status) }
        let type = MediaType.essence(of: response.contentType)
        guard type != "text/html", type != "application/xhtml+xml" else {
            throw .unusable(step, "the response is a page, not a document")
        }
    }

    /// Checks that no endpoint used by this server names a private host if the issuer is public, and that none names a
    /// link-local address.
    ///
    /// The connected address is validated as well, whatever the host name is. This check reports earlier which endpoint
    /// is at fault, and also applies if a proxy makes the connection.
    func checkEndpointHosts(
        _ metadata: ProviderMetadata, _ addresses: ProviderTrust.Addresses
    ) throws(RelyingPartyError) {
        var endpoints: [(name: String, url: AbsoluteURL)] = metadata.keySetURL.map { [("jwks_uri", $0)] } ?? []
        for endpoint in MutualTLSEndpoint.allCases {
            for isMutualTLS in [false, true] {
                guard let url = metadata.endpoint(endpoint, isMutualTLS: isMutualTLS) else { continue }
                endpoints.append((endpoint.rawValue, url))
            }
        }
        for endpoint in endpoints {
            let isRefused =
                switch isServerSide(endpoint.url) ? .any : addresses {
                case .any, .privateOnly: ConnectedAddress.isLinkLocalHost(endpoint.url.host)
                case .publicOnly: ConnectedAddress.isPrivateHost(endpoint.url.host)
                }
            guard !isRefused else {
                throw .unusable(.discovery, "'\(endpoint.name)' is on a host that is not allowed for this provider")
            }
        }
    }
}
