// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite struct ParametersTests {
    @Test(arguments: ["a=1&a=2", "a=1&a=1", "a=1&b=2&a=3", "a&a", "a=1&%61=2", "a=&a=1"])
    func `a duplicate parameter is refused by its name`(text: String) throws {
        let parameters = try FormURLEncoding.parse(text.utf8)
        #expect(throws: ParametersError.duplicate("a")) { try parameters.text("a") }
        #expect(throws: ParametersError.duplicate("a")) { try parameters.nonEmptyValue("a") }
        #expect(parameters.texts.filter { $0.name == "a" }.count == 2)
    }

    @Test func `a duplicate parameter does not keep another one from being read`() throws {
        let parameters = try FormURLEncoding.parse("a=1&b=2&a=3".utf8)
        #expect(try parameters.text("b") == "2")
        #expect(try parameters.text("c") == nil)
    }

    @Test func `an empty value is present, but absent for a caller that asks for a value`() throws {
        let parameters = try FormURLEncoding.parse("a=&b=1".utf8)
        #expect(try parameters.text("a") == "")
        #expect(try parameters.nonEmptyValue("a") == nil)
        #expect(try parameters.nonEmptyValue("b") == "1")
        #expect(parameters.contains("a"))
        #expect(!parameters.contains("c"))
    }

    @Test func `names are compared with their case`() throws {
        let parameters = try FormURLEncoding.parse("a=1&A=2".utf8)
        #expect(try parameters.text("a") == "1")
        #expect(try parameters.text("A") == "2")
    }

    @Test func `a letter that Unicode takes for another one is another one`() throws {
        // The Kelvin sign, and the letter K that it is the same as in every normal form.
        let parameters = try FormURLEncoding.parse("K=1&%E2%84%AA=2".utf8)
        #expect(try parameters.text("K") == "1")
        #expect(try parameters.text("\u{212A}") == "2")
        #expect(parameters.firstDuplicateName == nil)
    }

    @Test func `an error shows a name from outside short and printable only`() {
        let error = ParametersError.duplicate("a\r\n\u{E4} b" + String(repeating: "x", count: 100))
        #expect(error.isDuplicate)
        #expect(error.parameter == "a?????b" + String(repeating: "x", count: 57))
        #expect(error.description.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(!ParametersError.undecodable.isDuplicate)
        #expect(!ParametersError.tooMany.isDuplicate)
    }
}
