// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty
import RawStructuredFieldValues
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// The header fields of every kind of response.
struct ResponseHeaderTests {
    /// One response of each kind.
    private func responses() throws -> [(kind: String, response: BrokerResponse)] {
        let installation = try Installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        var shop = AppClient.shop
        shop.provider = "acme"
        var desk = AppClient.desk
        desk.provider = "acme"
        let start = try browser.get(shop.target())
        let back = try browser.bring(installation.provider.signIn(try Location(start)))
        let code = try #require(try Location(back)["code"])
        let form = try Installation { $0.providers[0].configuration.responseMode = .formPost }
        var poster = Browser(form)
        poster.withholdsCrossSiteCookies = true
        let fragment = try Installation { $0.providers[0].configuration.responseMode = .fragment }
        return [
            ("start", start), ("return", back),
            ("refused start", try installation.get(shop.target(["scope": "x"]))),
            ("page", try installation.get("/__/auth/authorize")),
            ("forbidden page", try browser.get(shop.target()) { $0[.secFetchDestination] = "iframe" }),
            ("chooser", try browser.get(AppClient.shop.target())),
            ("continue", try browser.bring(try browser.authenticate(desk))),
            ("repost", try poster.bringForm(try poster.authenticate())),
            ("fragment", try fragment.get(Installation.handler)),
            ("return page", try installation.get(Installation.handler)),
            ("token", try installation.redeem(code, shop)),
            ("token error", try installation.redeem(code, shop)),
            ("token preflight", try installation.request(.options, "/__/auth/token")),
            ("discovery", try installation.get("/__/auth/.well-known/openid-configuration")),
            ("jwks", try installation.get("/__/auth/jwks")),
            ("not found", try installation.get("/__/auth/nothing")),
            ("not allowed", try installation.request(.put, Installation.handler)),
            ("head", try installation.request(.head, Installation.handler)),
            ("prefetch", try browser.get(Installation.handler) { $0[.secPurpose] = "prefetch" }),
            ("plain", .plain(status: .contentTooLarge, "Too large.\n")),
        ]
    }

    @Test func `no response is stored, except the two public documents; none is sniffed; none has a referrer`() throws {
        for (kind, response) in try responses() {
            let fields = response.head.headerFields
            let isDocument = kind == "discovery" || kind == "jwks"
            #expect(fields[.cacheControl] == (isDocument ? "public, max-age=300" : "no-store"), "\(kind)")
            #expect(fields[.xContentTypeOptions] == "nosniff", "\(kind)")
            #expect(["no-referrer", "same-origin"].contains(fields[.referrerPolicy]), "\(kind)")
            #expect(fields[.contentLength] == nil, "\(kind)")
            for field in fields {
                #expect(fields[values: field.name].count == 1 || field.name == .setCookie, "\(kind) \(field.name)")
            }
        }
    }

    @Test func `a redirect is a 303 with no body and no referrer`() throws {
        for (kind, response) in try responses() where response.head.headerFields[.location] != nil {
            #expect(response.status == 303, "\(kind)")
            #expect(response.body.readableBytes == 0, "\(kind)")
            #expect(response.head.headerFields[.referrerPolicy] == "no-referrer", "\(kind)")
        }
        for (kind, response) in try responses() where (300..<400).contains(response.status) {
            #expect(response.status == 303, "\(kind)")
        }
    }

    @Test func `a page loads nothing, runs nothing and stands in no frame`() throws {
        var kinds: [String] = []
        for (kind, response) in try responses() where response.text.hasPrefix("<!DOCTYPE html>") {
            kinds.append(kind)
            let fields = response.head.headerFields
            #expect(fields[.contentType] == "text/html; charset=utf-8", "\(kind)")
            let policy = try #require(fields[.contentSecurityPolicy], "\(kind)")
            for directive in ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"] {
                #expect(policy.contains(directive), "\(kind)")
            }
            #expect(!policy.contains("unsafe"), "\(kind)")
            // A form that ends in a redirect to elsewhere must not name where forms may go.
            #expect(policy.contains("form-action 'none'") == !response.text.contains("<form"), "\(kind)")
            #expect(fields[.frameOptions] == "DENY", "\(kind)")
            #expect(response.text.contains("<script") == (kind == "fragment"), "\(kind)")
            #expect(fields[.permissionsPolicy] == ResponseFields.permissionsPolicy, "\(kind)")
        }
        #expect(kinds == ["page", "forbidden page", "chooser", "continue", "repost", "fragment", "return page"])
    }

    @Test func `Permissions-Policy is a structured dictionary of empty lists`() throws {
        var parser = StructuredFieldValueParser(Array(ResponseFields.permissionsPolicy.utf8))
        let policy = try parser.parseDictionaryFieldValue()
        let names = policy.map { $0.0 }
        #expect(Set(names).isSuperset(of: ["camera", "geolocation", "microphone", "payment", "usb"]))
        #expect(names.contains("publickey-credentials-get"))
        for (name, member) in policy {
            guard case .innerList(let list) = member else {
                Issue.record("\(name) is not a list")
                continue
            }
            #expect(list.bareInnerList.isEmpty, "\(name)")
        }
    }

    @Test func `the names of header fields are what they seem`() {
        let names: [(HTTPField.Name, String)] = [
            (.referrerPolicy, "referrer-policy"), (.permissionsPolicy, "permissions-policy"),
            (.frameOptions, "x-frame-options"), (.secFetchMode, "sec-fetch-mode"),
            (.secFetchDestination, "sec-fetch-dest"), (.secFetchSite, "sec-fetch-site"), (.secPurpose, "sec-purpose"),
        ]
        for (name, expected) in names { #expect(name.canonicalName == expected) }
    }

    @Test func `the page of a provider's or a store's failure says when to come again`() throws {
        let store = FaultyStore()
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        let page = try browser.bring(try browser.authenticate(.desk))
        store.fail(after: 0)
        let response = try browser.submit(page)
        #expect(response.status == 503 || response.status == 303)
        if response.status == 503 { #expect(response.head.headerFields[.retryAfter] != nil) }
    }

    @Test(.attack(.redirectThatRepeatsThePost))
    func `a POST is answered by 303, so that no browser posts it on`() throws {
        let form = try Installation { $0.providers[0].configuration.responseMode = .formPost }
        var poster = Browser(form)
        #expect(try poster.bringForm(try poster.authenticate()).status == 303)
        #expect(try poster.bringForm(try form.provider.refuse(try poster.start(), "access_denied")).status == 303)
        let fragment = try Installation { $0.providers[0].configuration.responseMode = .fragment }
        var browser = Browser(fragment)
        #expect(try browser.bringFragment(try browser.authenticate()).status == 303)
        let several = try Installation(providers: ["acme", "globex"])
        var chooser = Browser(several)
        let choice = try chooser.submit(try chooser.get(AppClient.shop.target()), pressing: ("provider", "acme"))
        #expect(choice.status == 303)
        let device = try Installation()
        var person = Browser(device)
        #expect(try person.submit(try person.bring(try person.authenticate(.desk))).status == 303)
    }
}
