// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerConfiguration

/// The address that is signed is the one that goes over the wire, whatever spelling was configured (RFC 9421 section
/// 2.2.2): a receiver builds `@target-uri` from its request.
@Suite struct WebhookAddressTests {
    @Test(
        arguments: [
            ("https://hooks.example.com", "https://hooks.example.com/"),
            ("https://HOOKS.example.com:443/In", "https://hooks.example.com/In"),
            ("https://hooks.example.com?x=1", "https://hooks.example.com/?x=1"),
            ("https://hooks.example.com:8443/in?x=1", "https://hooks.example.com:8443/in?x=1"),
            ("http://127.0.0.1:80/in", "http://127.0.0.1/in"), ("http://hooks.example.com/in", nil),
            ("https://user@hooks.example.com/in", nil), ("", nil),
        ] as [(String, String?)])
    func `an address is spelled as it is sent`(configured: String, sent: String?) {
        let webhook = BrokerConfiguration.Webhook(url: configured, signingKey: Secret(""))
        #expect(webhook.endpoint?.text == sent)
    }
}
