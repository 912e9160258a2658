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

    /// Whether requests may go to the host of an endpoint: not to a private one if the issuer is public, and to a
    /// link-local address nowhere.
    ///
    /// The connected address is validated as well, whatever the host name is. This check reports earlier which endpoint
    /// is at fault, and also applies if a proxy makes the connection.
    func isAllowed(_ endpoint: AbsoluteURL, _ addresses: ProviderTrust.Addresses) -> Bool {
        switch isServerSide(endpoint) ? .any : addresses {
        case .any, .privateOnly: !ConnectedAddress.isLinkLocalHost(endpoint.host)
        case .publicOnly: !ConnectedAddress.isPrivateHost(endpoint.host)
        }
    }
}
