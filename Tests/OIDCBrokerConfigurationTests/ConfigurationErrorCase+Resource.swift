// SPDX-License-Identifier: Apache-2.0

import Configuration
import Crypto
import JOSE
import TestingSupport

extension ConfigurationErrorCase {
    private static let key = P256.Signing.PrivateKey().pemRepresentation
    private static let identifier = "auth.resource.orders.identifier"
    private static let keys = "auth.resource-signing-keys"
    private static let rsa = try? SigningKey.generatePEM(.rs256)

    /// The changes that add an API for the app.
    private static func with(_ changes: [String: ConfigValue?]) -> [String: ConfigValue?] {
        [
            "auth.resources": list("orders"), identifier: "https://api.example/orders",
            keys: ConfigurationFixture.text(key), "auth.app.shop.resources": list("orders"),
        ].merging(changes) { $1 }
    }

    /// The errors of resources, and of the apps that may have them.
    static let resource: [Self] = [
        .init(with([identifier: nil]), key: identifier, "an absolute URI", isGiven: false),
        .init(with([identifier: "orders"]), key: identifier, "an absolute URI"),
        .init(with([identifier: "https://api.example/#x"]), key: identifier, "without a fragment"),
        .init(
            with([identifier: ConfigurationFixture.text("urn:" + String(repeating: "x", count: 509))]), key: identifier,
            "at most 512 bytes"),
        .init(with([identifier: "https://auth.example.com/__/auth"]), key: identifier, "not the issuer"),
        .init(
            with([identifier: "urn:shop", "auth.app.shop.client-id": "urn:shop"]), key: identifier, "no app's client id"
        ),
        .init(
            with(["auth.resource.orders.claims": list("sub")]), key: "auth.resource.orders.claims",
            "without those that the token has in any case"),
        .init(
            with(["auth.resource.orders.claims": list("sid")]), key: "auth.resource.orders.claims",
            "without those that the token has in any case"),
        .init(
            with(["auth.resource.orders.claims": list("email", "email")]), key: "auth.resource.orders.claims",
            "each given once"),
        .init(
            with([
                "auth.resource.orders.claims": ConfigValue(
                    .stringArray((0..<33).map { "claim\($0)" }), isSecret: false)
            ]), key: "auth.resource.orders.claims", "at most 32"),
        .init(
            with(["auth.resource.orders.access-token-lifetime-seconds": "59"]),
            key: "auth.resource.orders.access-token-lifetime-seconds", "60 to 3600"),
        .init(
            with(["auth.resource.orders.access-token-lifetime-seconds": "3601"]),
            key: "auth.resource.orders.access-token-lifetime-seconds", "60 to 3600"),
        .init(
            with(["auth.resource.orders.introspected-by": list("desk")]),
            key: "auth.resource.orders.introspected-by", "names of confidential apps"),
        .init(
            with([
                "auth.resource.orders.introspected-by": list("shop"), "auth.app.shop.client-secret": nil,
            ]), key: "auth.resource.orders.introspected-by", "names of confidential apps"),
        .init(with([keys: nil]), key: keys, "required with auth.resources", isGiven: false),
        .init(with([keys: "no key"]), key: keys, "P-256 or RSA private keys"),
        .init(
            with([keys: ConfigurationFixture.text(key + "\n" + ConfigurationFixture.signingKey)]), key: keys,
            "a key is one of auth.signing-keys"),
        .init(
            with([keys: ConfigurationFixture.text(rsa ?? "")]), key: keys, "auth.signing-keys has no key for RS256"),
        .init(
            with([
                "auth.webhook.url": "https://hooks.example/",
                "auth.webhook.signing-key": ConfigurationFixture.text(key),
            ]), key: "auth.webhook.signing-key", "auth.resource-signing-keys"),
        .init(
            with(["auth.app.shop.resources": list("orders", "billing")]), key: "auth.app.shop.resources",
            "names from auth.resources"),
        .init(
            with(["auth.app.shop.resources": list("orders", "orders")]), key: "auth.app.shop.resources",
            "each given once"),
        .init(
            with(["auth.app.shop.default-resource": "billing"]), key: "auth.app.shop.default-resource",
            "one of resources"),
    ]
}
