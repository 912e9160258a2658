// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import oidc_broker_demo

/// The files of the SDK that a user gives to the demo.
struct DemoSDKTests {
    @Test func `A file is read as it is; what is none, too long or no text is named`() throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        func file(_ name: String, _ bytes: [UInt8]) throws -> String {
            let path = "\(folder.path)/\(name)"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return path
        }
        #expect(try DemoSDK.read(file("good.js", Array("var a = \"é\"\n".utf8))) == "var a = \"é\"\n")
        let longest = Array(repeating: UInt8(ascii: " "), count: DemoSDK.maximumBytes)
        #expect(try DemoSDK.read(file("longest.js", longest)).utf8.count == DemoSDK.maximumBytes)
        for path in [
            try file("long.js", longest + [0x20]), try file("bytes.js", [0xFF, 0xFE]), "\(folder.path)/nothing.js",
            folder.path,
        ] {
            let error = #expect(throws: DemoError.self) { try DemoSDK.read(path) }
            #expect(error?.description.contains(path) == true)
        }
    }
}
