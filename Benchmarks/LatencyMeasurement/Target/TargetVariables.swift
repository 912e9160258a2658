// SPDX-License-Identifier: Apache-2.0

/// The variables of target files that are known before a target starts.
package struct TargetVariables: Sendable, Hashable {
    /// The name of a variable in target files.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        /// The issuer of the first provider.
        case issuer = "ISSUER"
        /// The scheme, host and port of the provider.
        case provider = "PROVIDER"
        /// The host of the provider.
        case providerHost = "PROVIDER_HOST"
        /// The port of the provider.
        case providerPort = "PROVIDER_PORT"
        /// The PEM file with the trust root of the provider's certificate.
        case providerCertificate = "PROVIDER_CERTIFICATE"
        /// The names of the providers, `p0,p1,…`.
        case providers = "PROVIDERS"
        /// The signature algorithm, `RS256` or `ES256`.
        case algorithm = "ALGORITHM"
        /// The client ID at the provider.
        case clientID = "CLIENT_ID"
        /// The client secret.
        case clientSecret = "CLIENT_SECRET"
        /// The scheme toward the browser, `http` or `https`.
        case scheme = "SCHEME"
        /// The address that the target listens on.
        case address = "ADDRESS"
        /// The same as the host of a URL.
        case host = "HOST"
        /// A port that is free when the target starts.
        case port = "PORT"
        /// The scheme, host and port of the target.
        case base = "BASE"
        /// The PEM file with the target's certificate toward browsers.
        case certificate = "CERTIFICATE"
        /// The PEM file with the key of that certificate.
        case privateKey = "PRIVATE_KEY"
        /// The folder with the target files and the start scripts.
        case benchmarks = "BENCHMARKS"
        /// The folder into which the start scripts install and build.
        case work = "WORK"
        /// A folder of this launch for the output of a target.
        case scratch = "SCRATCH"
        /// The path of the broker's executable.
        case broker = "OIDC_BROKER"
        /// The path of this tool's executable.
        case tool = "TOOL"
        /// The number of the target's processors.
        case processors = "PROCESSORS"
        /// The ID of the project whose accounts are measured.
        case projectID = "PROJECT_ID"
        /// The API key of the app that uses the accounts.
        case apiKey = "API_KEY"
        /// The client ID that the app itself has at the provider.
        case nativeAudience = "NATIVE_AUDIENCE"
        /// The PEM text of the private key that signs ID tokens of accounts.
        case accountKeys = "ACCOUNT_KEYS"
    }

    private var values: [String: String] = [:]

    /// Creates an empty set of variables.
    package init() {}

    /// The value of a variable.
    package subscript(name: Name) -> String? {
        get { values[name.rawValue] }
        set { values[name.rawValue] = newValue }
    }

    /// The values by the names in a target file.
    package var byName: [String: String] { values }

    /// Returns the variables with the two that belong to one provider.
    package func forProvider(_ number: Int, issuer: String) -> [String: String] {
        values.merging(
            [SignInVariable.provider.rawValue: String(number), Name.issuer.rawValue: issuer],
            uniquingKeysWith: { $1 })
    }
}
