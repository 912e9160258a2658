// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatencyMeasurement
import OIDCBrokerTesting

/// The command `callback-latency floor`, a server that only handles the requests of a sign-in.
///
/// Its cost is that of SwiftNIO, below which no relying party on it can be. It is not a peer, since it checks nothing.
struct FloorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floor",
        abstract: "Serve redirects and one upstream request a callback, and check nothing: the floor of the table.",
        discussion: "Example: callback-latency floor --port 8080 --issuer http://127.0.0.1:9443",
        shouldDisplay: false)

    @Option(help: "The port.")
    var port: Int

    @Option(help: "The provider's issuer, over plain HTTP on this machine.")
    var issuer: String

    @Option(help: ArgumentHelp("A certificate as PEM: HTTP/2 over TLS, and nothing else.", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("Its private key as PEM.", valueName: "file"))
    var privateKey: String?

    func validate() throws {
        if (certificate == nil) != (privateKey == nil) {
            throw ValidationError("a certificate needs its private key, and the other way round")
        }
    }

    func run() async throws {
        var pem: DevelopmentCertificate?
        if let certificate, let privateKey {
            pem = DevelopmentCertificate(
                certificatePEM: String(decoding: try SystemFile.bytes(certificate), as: UTF8.self),
                privateKeyPEM: String(decoding: try SystemFile.bytes(privateKey), as: UTF8.self))
        }
        try await FloorServer(port: port, issuer: issuer, certificate: pem).serve()
    }
}
