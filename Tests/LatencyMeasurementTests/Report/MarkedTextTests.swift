// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct MarkedTextTests {
    private static let document = "# A\n\n\(MarkedText.begin)\nold\n\(MarkedText.end)\n\nB\n"

    @Test func `a document is replaced between its marks alone`() {
        let replaced = MarkedText.replacing(in: Self.document, with: "new")
        #expect(replaced == "# A\n\n\(MarkedText.begin)\n\nnew\n\n\(MarkedText.end)\n\nB\n")
    }

    @Test func `a second time replaces what the first one wrote, and nothing grows`() throws {
        let once = try #require(MarkedText.replacing(in: Self.document, with: "new"))
        let same = try #require(MarkedText.replacing(in: once, with: "new"))
        #expect(same == once)
        let other = try #require(MarkedText.replacing(in: once, with: "newer\n\n| a |"))
        #expect(other == "# A\n\n\(MarkedText.begin)\n\nnewer\n\n| a |\n\n\(MarkedText.end)\n\nB\n")
    }

    @Test func `two documents have each their own part`() throws {
        let other = "\(MarkedText.begin)\n\(MarkedText.end)"
        let whole = try #require(MarkedText.replacing(in: Self.document, with: "everything"))
        let short = try #require(MarkedText.replacing(in: other, with: "a few rows"))
        #expect(whole.contains("everything"))
        #expect(short == "\(MarkedText.begin)\n\na few rows\n\n\(MarkedText.end)")
    }

    @Test(arguments: [
        "no marks", "\(MarkedText.end)\n\(MarkedText.begin)", "\(MarkedText.begin)\n",
        "\(MarkedText.begin)\n\(MarkedText.end)\n\(MarkedText.begin)\n\(MarkedText.end)",
    ])
    func `a document without the marks, once each and in order, is left alone`(text: String) {
        #expect(MarkedText.replacing(in: text, with: "new") == nil)
    }
}
