// SPDX-License-Identifier: Apache-2.0

/// How a target is started, every variable filled in.
package struct LaunchPlan: Sendable, Hashable {
    /// The program and its arguments; empty where the target runs already.
    package let command: [String]
    /// The environment besides the tool's own.
    package let environment: [String: String]
    /// The folder it runs in.
    package let directory: String?
    /// Files that must exist.
    package let requires: [String]

    /// Fills a target file in.
    ///
    /// - Parameters:
    ///   - file: The target.
    ///   - variables: What is known.
    ///   - issuers: The issuer of each provider, at least one.
    ///   - isTLS: Whether browsers come over TLS.
    ///   - isProviderTLS: Whether the provider speaks HTTPS.
    /// - Throws: ``TargetFileError``.
    package init(
        _ file: TargetFile, variables: TargetVariables, issuers: [String], isTLS: Bool, isProviderTLS: Bool
    ) throws(TargetFileError) {
        var additions: [TargetFile.Addition] = []
        if isTLS {
            guard let tls = file.tls else { throw .contradiction("\(file.name) does not do TLS: it has no 'tls'") }
            additions.append(tls)
        }
        if isProviderTLS {
            guard let tls = file.providerTLS else {
                throw .contradiction("\(file.name) does not take an HTTPS provider: it has no 'provider_tls'")
            }
            additions.append(tls)
        }
        let fixed = variables.byName
        var command: [String] = []
        for argument in file.launch ?? [] { command.append(try Template.expanded(argument, fixed: fixed)) }
        var environment: [String: String] = [:]
        for (name, value) in file.environment ?? [:] {
            environment[name] = try Template.expanded(value, fixed: fixed)
        }
        for addition in additions {
            for argument in addition.arguments ?? [] { command.append(try Template.expanded(argument, fixed: fixed)) }
            for (name, value) in addition.environment ?? [:] {
                environment[name] = try Template.expanded(value, fixed: fixed)
            }
        }
        if let eachProvider = file.eachProvider {
            for (number, issuer) in issuers.enumerated() {
                let own = variables.forProvider(number, issuer: issuer)
                for (name, value) in eachProvider {
                    let expandedName = try Template.expanded(name, fixed: own)
                    environment[expandedName] = try Template.expanded(value, fixed: own)
                }
            }
        } else if issuers.count > 1 {
            throw .contradiction("\(file.name) has one provider: it has no 'each_provider'")
        }
        self.command = command
        self.environment = environment
        if let directory = file.directory {
            self.directory = try Template.expanded(directory, fixed: fixed)
        } else {
            directory = nil
        }
        var requires: [String] = []
        for path in file.requires ?? [] { requires.append(try Template.expanded(path, fixed: fixed)) }
        self.requires = requires
    }
}
