// SPDX-License-Identifier: Apache-2.0

/// The variables of target files that are known before a target starts.
package struct TargetVariables: Sendable, Hashable {
    /// What a target file may name.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        /// The issuer of the first provider.
        case issuer = "ISSUER"
        /// Scheme, host and port of the provider.
        case provider = "PROVIDER"
        /// The provider's host.
        case providerHost = "PROVIDER_HOST"
        /// The provider's port.
        case providerPort = "PROVIDER_PORT"
        /// The PEM file that vouches for the provider's certificate.
        case providerCertificate = "PROVIDER_CERTIFICATE"
        /// The names of the providers, `p0,p1,…`.
        case providers = "PROVIDERS"
        /// `RS256` or `ES256`.
        case algorithm = "ALGORITHM"
        /// The client's name at the provider.
        case clientID = "CLIENT_ID"
        /// Its secret.
        case clientSecret = "CLIENT_SECRET"
        /// `http` or `https`, toward the browser.
        case scheme = "SCHEME"
        /// A port that is free when the target starts.
        case port = "PORT"
        /// The target's own scheme, host and port.
        case base = "BASE"
        /// The PEM file with the certificate the target shows browsers.
        case certificate = "CERTIFICATE"
        /// The PEM file with its key.
        case privateKey = "PRIVATE_KEY"
        /// The folder with the target files and the start scripts.
        case benchmarks = "BENCHMARKS"
        /// The folder that the start scripts install and build into.
        case work = "WORK"
        /// A folder of this launch, for what a target writes.
        case scratch = "SCRATCH"
        /// The broker's executable.
        case broker = "OIDC_BROKER"
        /// This tool's executable.
        case tool = "TOOL"
        /// How many processors the target is given.
        case processors = "PROCESSORS"
    }

    private var values: [String: String] = [:]

    /// None yet.
    package init() {}

    /// The value of a variable.
    package subscript(name: Name) -> String? {
        get { values[name.rawValue] }
        set { values[name.rawValue] = newValue }
    }

    /// By their spelling in a target file.
    package var byName: [String: String] { values }

    /// With the two that belong to one provider.
    package func forProvider(_ number: Int, issuer: String) -> [String: String] {
        values.merging(
            [SignInVariable.provider.rawValue: String(number), Name.issuer.rawValue: issuer],
            uniquingKeysWith: { $1 })
    }
}
