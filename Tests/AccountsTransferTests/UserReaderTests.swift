// SPDX-License-Identifier: Apache-2.0

import AccountsTransfer
import Testing

/// Cutting users out of a file, whatever the pieces in which it is read.
struct UserReaderTests {
    static func reader(_ text: String, piece: Int = 7) -> UserReader {
        var rest = Array(text.utf8)[...]
        return UserReader {
            let next = Array(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            return next
        }
    }

    private func users(_ text: String, piece: Int) throws -> [UserReader.Element] {
        var reader = Self.reader(text, piece: piece)
        var found: [UserReader.Element] = []
        while let element = try reader.next() { found.append(element) }
        return found
    }

    private static let user = #"{"localId": "a}\"]", "b": [{"users": [1]}]}"#

    @Test(arguments: [
        #"{"users":[USER,USER]}"#, #"{"kind":"k","users":[USER],"nextPageToken":"x"}{"users":[USER]}"#,
        "\u{FEFF}{\r\n  \"users\": [\r\n USER\r\n,\r\nUSER ]\r\n}\r\n",
        #"{"other":{"users":[{}]},"n":1,"users":null,"users":[USER,USER]}"#, #"{"kind":"k"} {"users":[USER,USER]}"#,
    ])
    func `users are cut out, byte for byte`(file: String) throws {
        for piece in [1, 2, 3, 5, 64, 4096] {
            let text = file.replacingText("USER", Self.user)
            let found = try users(text, piece: piece)
            #expect(found.map(\.index) == [0, 1])
            for element in found {
                #expect(element.bytes == Array(Self.user.utf8))
                #expect(Array(text.utf8)[element.offset...].starts(with: Self.user.utf8))
            }
        }
    }

    @Test func `a page without users is the end of a project`() throws {
        #expect(try users(#"{"kind":"identitytoolkit#DownloadAccountResponse"}"#, piece: 9).isEmpty)
        #expect(try users(#"{"users":[]}"#, piece: 9).isEmpty)
    }

    @Test(arguments: [
        "", "{}", "[]", "a,b,c", "{\"users\":[{\"a\":1}", "{\"users\":[{\"a\":1} {}]}", "{\"users\":[{}, ]}",
        "{\"users\":[{},", "{,}", "{\"a\":1,}", "{\"users\":[{", "{\"users\"",
        "{\"a\":1",
        "{\"users\":[{}]}x", "{1:2}", "{\"users\":{\"a\":{}}}", "{\"users\":\"a\"}", "[{\"users\":[{}]}]",
        "{\"localId\":\"a\"}\n{\"localId\":\"b\"}",
    ])
    func `a file of another form, or one that ends too early, is an error`(file: String) {
        for piece in [1, 3, 4096] {
            #expect(throws: TransferError.self) { try users(file, piece: piece) }
        }
    }

    @Test(
        arguments: [
            ("u,ada@example.com,true\n", "CSV is not supported"), ("[{}]", "is an array"), ("", "no array `users`"),
            (#"{"error":{"code":401}}"#, "an error of Firebase"), (#"{"users":{}}"#, "`users` is not an array"),
            (#"{"users":[{}]}{"error":{"code":503}}"#, "an error of Firebase"),
            ("\u{1F}\u{8B}", "unpack it"), (#"{"users":[{}]}}"#, "not another page"), (#"{"users":[{"#, "too early"),
        ])
    func `the reason says what the file is, and what to use`(file: String, part: String) {
        let error = #expect(throws: TransferError.self) { try users(file, piece: 4096) }
        #expect(error?.reason.contains(part) == true)
    }

    @Test(
        arguments: [
            (#"{"users":[{}],"nextPageToken":"x"}"#, false), (#"{"nextPageToken":"x","users":[]}{"kind":"k"}"#, true),
            (#"{"users":[{"nextPageToken":"x"}]}"#, true), (#"{"users":[],"nextPageToken":null}"#, true),
        ])
    func `it is known whether the last page was read`(file: String, isLast: Bool) throws {
        var reader = Self.reader(file)
        while try reader.next() != nil {}
        #expect(reader.hasLastPage == isLast)
    }

    @Test func `UTF-16 is named`() {
        var bytes: [UInt8] = [0xFF, 0xFE, 0x7B, 0]
        var reader = UserReader {
            defer { bytes = [] }
            return bytes
        }
        let error = #expect(throws: TransferError.self) { try reader.next() }
        #expect(error?.reason.contains("UTF-16") == true)
    }

    @Test func `a user that is too long is left out, and the next one is read`() throws {
        let long = #"{"a":""# + String(repeating: "x", count: UserReader.longestUser) + #""}"#
        let found = try users(#"{"users":[\#(long),{}]}"#, piece: 65_536)
        #expect(found.map(\.bytes) == [nil, Array("{}".utf8)])
    }
}

extension String {
    /// This text with each occurrence of a word replaced.
    func replacingText(_ word: String, _ other: String) -> String {
        var (result, rest) = ("", self[...])
        while let first = rest.first {
            if rest.hasPrefix(word) {
                result += other
                rest = rest.dropFirst(word.count)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
