// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import LatencyMeasurement
import OIDCBrokerTesting

/// The accounts that a target is started with: the project, the app, and the key that signs the ID tokens of accounts.
struct AccountsSetup: Sendable {
    static let projectID = "bench-people"
    static let apiKey = "bench-api-key-0123456789"
    /// The client ID that the app has at the provider, which is the audience of native ID tokens.
    static let nativeAudience = "com.example.bench"
    /// The ID of the provider p0 as clients see it.
    static let providerID = "oidc.p0"

    /// The requests of the app.
    let wire = AccountWire(apiKey: Self.apiKey, providerID: Self.providerID)
    /// The check of ID tokens of accounts.
    let tokens: AccountTokenCheck
    private let keyPEM: String

    /// Generates a key: P-256 for ES256, an ordinary one of 2,048 bits for RS256.
    init(_ algorithm: SignatureAlgorithm) throws {
        let pem: String
        let key: SigningKey
        switch algorithm {
        case .es256:
            pem = P256.Signing.PrivateKey().pemRepresentation
            key = try SigningKey(pem: pem, algorithm: .es256)
        case .rs256:
            pem = try SharedRSAKeys.pem(0)
            key = try SigningKey(pem: pem, algorithm: .rs256)
        }
        keyPEM = pem
        tokens = try AccountTokenCheck(key: key, audience: Self.projectID)
    }

    /// Adds what a target file says of accounts.
    func add(to variables: inout TargetVariables) {
        variables[.projectID] = Self.projectID
        variables[.apiKey] = Self.apiKey
        variables[.nativeAudience] = Self.nativeAudience
        variables[.accountKeys] = keyPEM
    }
}
