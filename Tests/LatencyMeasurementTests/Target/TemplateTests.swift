// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement
import Testing

@Suite struct TemplateTests {
    private static let values = SignInValues(state: "s1", nonce: "n1", subject: "u1", code: "c1", provider: 3)

    @Test func `variables of the start and of the sign-in are filled in`() throws {
        let template = try Template("${BASE}/x?state=${STATE}&p=p${K}&c=${CODE}", fixed: ["BASE": "http://h:1"])
        #expect(template.text(Self.values) == "http://h:1/x?state=s1&p=p3&c=c1")
        #expect(template.variables == [.state, .provider, .code])
    }

    @Test(arguments: ["", "plain", "a$b", "$", "${", "cost: $5 {x}", "$${NOT", "}"])
    func `a text that is not a variable stays`(text: String) throws {
        let template = try Template(text, fixed: [:])
        #expect(template.text(Self.values) == text)
    }

    @Test func `an unknown variable is named`() {
        #expect(throws: TargetFileError.unknownVariable("STAET")) { try Template("a${STAET}", fixed: [:]) }
    }

    @Test func `a value is not looked through for variables again`() throws {
        let template = try Template("${BASE}", fixed: ["BASE": "${STATE}"])
        #expect(template.text(Self.values) == "${STATE}")
    }

    @Test func `what must be the same for all sign-ins has no variable of one`() throws {
        let text = try Template.expanded("${WORK}/bin", fixed: ["WORK": "/w"])
        #expect(text == "/w/bin")
        #expect(throws: TargetFileError.unknownVariable("STATE")) { try Template.expanded("${STATE}", fixed: [:]) }
    }

    @Test func `header fields differ between sign-ins where they have a variable, and are the same elsewhere`() throws {
        let step = try JSONDecoder().decode(
            TargetFile.Step.self,
            from: Data(#"{"path":"/x","headers":{"X-Forwarded-For":"${CLIENT}","X-Fixed":"${WORK}"}}"#.utf8))
        let template = try RequestTemplate(step, fixed: ["WORK": "/w"])
        for (client, address) in [(UInt16.min, "10.0.0.0"), (258, "10.0.1.2"), (.max, "10.0.255.255")] {
            let fields = template.fields(SignInValues(state: "s", nonce: "n", client: client))
            #expect(Set(fields.map { "\($0.name): \($0.value)" }) == ["x-fixed: /w", "x-forwarded-for: \(address)"])
        }
    }

    @Test func `a known value wins over the sign-in's`() throws {
        let template = try Template("p${K}", fixed: ["K": "0"])
        #expect(template.text(Self.values) == "p0")
    }
}
