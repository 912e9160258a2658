// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Testing

/// What `check-config --live` advises where a certificate is not trusted.
struct FailureAdviceTests {
    private static func advice(hasAuthorities: Bool) -> String? {
        LiveCheck.failed(
            .certificate, of: "acme", wanted: "a certificate", .transport(.discovery, .untrusted),
            hasAuthorities: hasAuthorities
        ).advice
    }

    @Test func `names the key, and where it is set already, what the file needs`() {
        #expect(
            Self.advice(hasAuthorities: false)
                == "If the provider has a certificate of your own authority, name it in certificate-authorities.")
        #expect(
            Self.advice(hasAuthorities: true)
                == "The file of certificate-authorities needs the root certificate that the server's certificate leads to, "
                + "and the server must send its intermediate certificates. The server's own certificate, or an intermediate "
                + "one, in that file is not enough.")
    }
}
