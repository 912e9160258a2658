// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OpenIDConnect
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerState

/// The cookie of a login.
struct LoginCookieTests {
    private let loginID = [UInt8](0..<16)
    private let binding = [UInt8](repeating: 5, count: 32)

    private func cookie(_ url: String) throws -> LoginCookie { LoginCookie(publicURL: try #require(PublicURL(url))) }

    private func cookies(_ field: String) -> Cookies { Cookies([.cookie: field]) }

    @Test func `with https it is a __Host- cookie; SameSite=None only for a provider that posts`() throws {
        let cookie = try self.cookie("https://auth.example.com")
        let name = "__Host-oidc-AAECAwQFBgc"
        let value = Base64URL.encode(binding)
        let common = "\(name)=\(value); Path=/; Max-Age=600; HttpOnly"
        #expect(cookie.name(loginID: loginID) == name)
        #expect(
            cookie.set(loginID: loginID, binding: binding, responseMode: .query).value
                == common + "; SameSite=Lax; Secure")
        // Our own page posts a fragment: that is not cross-site.
        #expect(
            cookie.set(loginID: loginID, binding: binding, responseMode: .fragment).value
                == common + "; SameSite=Lax; Secure")
        #expect(
            cookie.set(loginID: loginID, binding: binding, responseMode: .formPost).value
                == common + "; SameSite=None; Secure")
        #expect(cookie.delete(name: name).value == "\(name)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure")
    }

    @Test func `it lives as long as its login`() throws {
        for url in ["https://auth.example.com", "http://localhost:8080"] {
            let cookie = try self.cookie(url)
            for mode in [ResponseMode.query, .formPost] {
                let usual = cookie.set(loginID: loginID, binding: binding, responseMode: mode).value
                let longer = cookie.set(loginID: loginID, binding: binding, responseMode: mode, lifetime: 1800).value
                #expect(longer == usual.replacing("Max-Age=600", with: "Max-Age=1800"))
            }
        }
    }

    @Test func `with an http loopback URL it is not Secure, and always Lax`() throws {
        let cookie = try self.cookie("http://localhost:8080")
        let common = "oidc-AAECAwQFBgc=\(Base64URL.encode(binding)); Path=/; Max-Age=600; HttpOnly; SameSite=Lax"
        #expect(cookie.set(loginID: loginID, binding: binding, responseMode: .query).value == common)
        #expect(cookie.set(loginID: loginID, binding: binding, responseMode: .formPost).value == common)
    }

    @Test func `its value is found where it stands once and is 32 bytes`() throws {
        let cookie = try self.cookie("https://auth.example.com")
        let name = cookie.name(loginID: loginID)
        let value = Base64URL.encode(binding)
        guard case .found(let found) = cookie.binding(loginID: loginID, in: cookies("a=b; \(name)=\(value); c=d"))
        else {
            Issue.record("not found")
            return
        }
        #expect(found == binding)
        for field in [
            "a=b", "\(name)=", "\(name)=\(value)A", "\(name)=\"\(value)\"", "\(name)=\(Base64URL.encode([1, 2]))",
            "\(name.lowercased())=\(value)", "x\(name)=\(value)",
        ] {
            guard case .absent = cookie.binding(loginID: loginID, in: cookies(field)) else {
                Issue.record("\(field)")
                continue
            }
        }
        guard case .duplicate = cookie.binding(loginID: loginID, in: cookies("\(name)=\(value); \(name)=x")) else {
            Issue.record("duplicate cookie not noticed")
            return
        }
    }

    @Test func `the logins of one browser begin with the same bytes, and each has as many of its own`() throws {
        let cookie = try self.cookie("https://auth.example.com")
        let first = LoginEntropy(browser: cookie.browser(in: cookies("a=b")))
        let field = "\(cookie.name(loginID: first.loginID))=\(Base64URL.encode(first.binding))"
        let second = LoginEntropy(browser: cookie.browser(in: cookies("a=b; " + field)))
        let other = LoginEntropy(browser: nil)
        for entropy in [first, second, other] { #expect(entropy.binding.count == 32) }
        #expect(first.binding[..<16] == second.binding[..<16])
        #expect(first.binding[..<16] != other.binding[..<16])
        #expect(first.binding[16...] != second.binding[16...])
        // What is not ours says nothing.
        for field in ["x" + field, String(field.dropLast()), field + "A", "__Host-oidc-session=abc"] {
            #expect(cookie.browser(in: cookies(field)) == nil)
        }
    }

    @Test func `the oldest are deleted so that with one more there are 24`() throws {
        let cookie = try self.cookie("https://auth.example.com")
        let names = (0..<40).map { cookie.name(loginID: Array(repeating: UInt8($0), count: 16)) }
        func deleted(_ count: Int) -> [String] {
            let field = "other=1; " + names[..<count].map { "\($0)=v" }.joined(separator: "; ")
            return cookie.evictions(in: cookies(field)).map { String($0.value.prefix { $0 != "=" }) }
        }
        #expect(deleted(23).isEmpty)
        #expect(deleted(24) == [names[0]])
        #expect(deleted(40) == Array(names[..<17]))
    }

    @Test func `only what is spelled as ours is deleted, and nothing else counts`() throws {
        let cookie = try self.cookie("https://auth.example.com")
        let ours = (0..<23).map { cookie.name(loginID: Array(repeating: UInt8($0), count: 16)) + "=v" }
        // Of an application on the same host, which may well use the prefix.
        let foreign = ["__Host-oidc-session=v", "__Host-oidc-=v", "__Host-oidc-AAECAwQFBg\"=v"]
        #expect(cookie.evictions(in: cookies((foreign + ours).joined(separator: "; "))).isEmpty)
    }
}
