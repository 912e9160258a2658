// SPDX-License-Identifier: Apache-2.0

#if Server && os(Linux)
    import Foundation
    import JOSE
    import Testing
    import TestingSupport

    /// `oidc-broker serve`, a process of its own, whose audit cannot be written.
    @Suite(.timeLimit(.minutes(10))) struct AuditFileStartTests {
        @Test func `a folder of the audit that does not exist ends the start with its path`() async throws {
            try await BrokerFile.use(issuer: "http://127.0.0.1:1") { file in
                let bytes = Array(try Data(contentsOf: URL(filePath: file.path)))
                var configuration = try JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 65_536))
                let audit = file.folder.path + "/nowhere/audit.log"
                configuration["server"] = ["port": 0, "log": ["audit": .string(audit)]]
                let path = try file.write("audited.json", configuration.serialized())
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
                let end = try await CommandProcess.run(["serve", "--config", path])
                #expect(end.status == 1)
                let line = "oidc-broker: server.log.audit: cannot write to '\(audit)': No such file or directory\n"
                #expect(end.errors.hasSuffix(line), "\(end.errors)")
                #expect(end.output.isEmpty)
            }
        }
    }
#endif
