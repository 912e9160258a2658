// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement
import OIDCBrokerTesting

/// The folders of a command, and its own certificate.
struct Workplace: Sendable {
    /// The folder with the target files and the start scripts.
    let benchmarks: String
    /// The folder into which the start scripts install.
    let work: String
    /// A folder of this run.
    let scratch: String
    /// The certificate for the target and the provider with TLS.
    let certificate: DevelopmentCertificate
    private var namedBroker: String?

    /// Creates the folder of this run.
    ///
    /// - Parameter broker: The path of the broker's executable; `nil` for the one next to this tool.
    init(benchmarks: String, work: String, broker: String? = nil) throws {
        if let broker, !SystemFile.exists(broker) { throw LatencyToolError("\(broker) is missing") }
        namedBroker = broker.map { SystemFile.absolute($0) }
        self.benchmarks = SystemFile.absolute(benchmarks)
        self.work = SystemFile.absolute(work)
        let name = "callback-latency-\(ProcessInfo.processInfo.processIdentifier)"
        scratch = FileManager.default.temporaryDirectory.appending(path: name).path
        certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1", "localhost"])
        try SystemFile.write(Array(certificate.certificatePEM.utf8), to: certificatePath)
        try SystemFile.write(Array(certificate.privateKeyPEM.utf8), to: privateKeyPath)
    }

    /// Returns the same workplace with another executable of the broker.
    func with(broker: String) -> Workplace {
        var copy = self
        copy.namedBroker = broker
        return copy
    }

    /// Removes the folder of this run with the key in it.
    func remove() { try? FileManager.default.removeItem(atPath: scratch) }

    var certificatePath: String { scratch + "/certificate.pem" }
    var privateKeyPath: String { scratch + "/private-key.pem" }

    /// Creates a folder for the output of a launch.
    func makeFolder(of target: String) throws -> String {
        let name = target.filter { $0.isLetter || $0.isNumber || $0 == "-" }
        let folder = "\(scratch)/\(name)-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    /// The path of this tool's executable.
    var tool: String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return link ?? SystemFile.absolute(CommandLine.arguments[0])
    }

    /// The path of the broker's executable: the given one, or the one next to this tool. If there is none, this tool
    /// serves with the same modules.
    var broker: String {
        if let namedBroker { return namedBroker }
        let beside = URL(filePath: tool).deletingLastPathComponent().appending(path: "oidc-broker").path
        return SystemFile.exists(beside) ? beside : tool
    }

    /// The program that makes the connections of browsers.
    var browser: String { work + "/bin/browser-connections" }

    /// The variables that every run has.
    private var folders: TargetVariables {
        var variables = TargetVariables()
        variables[.benchmarks] = benchmarks
        variables[.work] = work
        return variables
    }

    /// Whether everything that a target requires exists.
    func isInstalled(_ file: TargetFile) -> Bool {
        (file.requires ?? []).allSatisfy { path in
            // A path that depends on the run is checked when the target is launched.
            guard let path = try? Template.expanded(path, fixed: folders.byName) else { return true }
            return SystemFile.exists(path)
        }
    }

    /// Returns the versions that a target's own command prints; `nil` if it has none, or it fails.
    func version(of file: TargetFile) -> String? {
        guard let words = file.version, !words.isEmpty else { return nil }
        let command = words.compactMap { try? Template.expanded($0, fixed: folders.byName) }
        guard command.count == words.count else { return nil }
        return ShortProgram.lines(of: command, output: scratch + "/version.txt")?.joined(separator: ", ")
    }

    /// Returns the variables of target files.
    func variables(
        provider: FastProvider, algorithm: SignatureAlgorithm, isTLS: Bool, processors: ProcessorList?
    ) -> TargetVariables {
        var variables = folders
        variables[.issuer] = provider.issuers.first
        variables[.provider] = provider.origin
        variables[.providerHost] = "127.0.0.1"
        variables[.providerPort] = String(provider.port)
        variables[.providerCertificate] = certificatePath
        variables[.providers] = provider.issuers.indices.map { "p\($0)" }.joined(separator: ",")
        variables[.algorithm] = algorithm.rawValue
        variables[.clientID] = ProviderClient.id
        variables[.clientSecret] = ProviderClient.secret
        variables[.scheme] = isTLS ? "https" : "http"
        variables[.certificate] = certificatePath
        variables[.privateKey] = privateKeyPath
        variables[.broker] = broker
        variables[.tool] = tool
        variables[.processors] = String(processors?.numbers.count ?? ProcessInfo.processInfo.activeProcessorCount)
        return variables
    }
}
