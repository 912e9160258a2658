// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty
import Testing

/// The descriptions of errors of sign-ins: each says what was found, or what to do.
struct ErrorTextTests {
    @Test(
        arguments: [
            (.unreachable, "no connection"), (.connectTimedOut, "no connection in time"),
            (.untrusted, "TLS failed: the certificate is not trusted for this host"),
            (.timedOut, "no response in time"), (.tooLarge, "the response is too large"),
            (.encoded, "the response is compressed, although no compression was requested"),
            (.addressRefused, "the host has an IP address that is not allowed for this provider"),
            (.interrupted, "the connection ended before the response was complete"),
            (
                .unusableTrust,
                "the configured certificate authorities, client certificate or private key cannot be read"
            ),
            (.circuitOpen, "not sent: the provider failed repeatedly, or asked for a pause"),
            (.tooManyWaiting, "not sent: all connections are in use, and too many requests are waiting"),
        ] as [(ProviderTransportError, String)])
    func `a request to a provider`(error: ProviderTransportError, text: String) {
        #expect(error.description == text)
        #expect(RelyingPartyError.transport(.token, error).description == "token: \(text)")
    }

    @Test func `a discovery document`() {
        #expect(
            ProviderMetadataError.issuerMismatch.description
                == "the discovery document has another 'issuer' than the configured one; they must be equal, byte for byte"
        )
        #expect(ProviderMetadataError.missing("jwks_uri").description == "the discovery document has no 'jwks_uri'")
        #expect(
            ProviderMetadataError.unacceptable("issuer").description == "the discovery document has an invalid 'issuer'"
        )
        #expect(
            ProviderMetadataError.unsupported("x", ["HS256", "HS512"]).description
                == "the discovery document has no supported algorithm in 'x', only HS256, HS512")
        #expect(
            ProviderMetadataError.requestParameter("state").description
                == "the discovery document has an 'authorization_endpoint' with 'state' in its query; "
                + "every request sends this parameter itself")
    }

    @Test func `a response of a provider`() {
        #expect(RelyingPartyError.issuerMismatch.description == "authorization: 'iss' names another issuer")
        #expect(
            RelyingPartyError.issuerMissing.description
                == "authorization: 'iss' is missing although the provider announces it")
    }
}
