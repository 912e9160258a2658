// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement
import OIDCBrokerTesting

/// The folders of a command, and the certificate that it made for itself.
struct Workplace: Sendable {
    /// The folder with the target files and the start scripts.
    let benchmarks: String
    /// The folder that the start scripts install into.
    let work: String
    /// A folder of this run.
    let scratch: String
    /// For the target and for the provider, where they speak TLS.
    let certificate: DevelopmentCertificate

    /// Makes the folder of this run.
    init(benchmarks: String, work: String) throws {
        self.benchmarks = SystemFile.absolute(benchmarks)
        self.work = SystemFile.absolute(work)
        let name = "callback-latency-\(ProcessInfo.processInfo.processIdentifier)"
        scratch = FileManager.default.temporaryDirectory.appending(path: name).path
        certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1", "localhost"])
        try SystemFile.write(Array(certificate.certificatePEM.utf8), to: certificatePath)
        try SystemFile.write(Array(certificate.privateKeyPEM.utf8), to: privateKeyPath)
    }

    /// Takes the folder of this run away, with the key in it.
    func remove() { try? FileManager.default.removeItem(atPath: scratch) }

    var certificatePath: String { scratch + "/certificate.pem" }
    var privateKeyPath: String { scratch + "/private-key.pem" }

    /// The file for what a target writes.
    func log(of target: String) -> String {
        let name = target.filter { $0.isLetter || $0.isNumber || $0 == "-" }
        return "\(scratch)/\(name).log"
    }

    /// This tool's executable.
    var tool: String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return link ?? SystemFile.absolute(CommandLine.arguments[0])
    }

    /// The broker's executable beside it. A build of this tool alone has none: then this tool serves, from the same
    /// modules.
    var broker: String {
        let beside = URL(filePath: tool).deletingLastPathComponent().appending(path: "oidc-broker").path
        return SystemFile.exists(beside) ? beside : tool
    }

    /// The variables of target files.
    func variables(
        provider: FastProvider, algorithm: SignatureAlgorithm, isTLS: Bool, processors: ProcessorList?
    ) -> TargetVariables {
        var variables = TargetVariables()
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
        variables[.benchmarks] = benchmarks
        variables[.work] = work
        variables[.scratch] = scratch
        variables[.broker] = broker
        variables[.tool] = tool
        variables[.processors] = String(processors?.numbers.count ?? ProcessInfo.processInfo.activeProcessorCount)
        return variables
    }
}
