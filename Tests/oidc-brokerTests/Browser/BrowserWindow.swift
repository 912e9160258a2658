// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import JOSE
import NIOCore
import NIOHTTP1

/// A window of headless Chromium, driven over WebDriver (W3C Recommendation): JSON over HTTP.
///
/// Looking for an element waits until it is there, up to 30 seconds: WebDriver's own implicit wait.
struct BrowserWindow: Sendable {
    /// What WebDriver answered instead.
    struct Failure: Error, CustomStringConvertible {
        let command: String
        let description: String
    }

    /// An element of the page that is shown.
    struct Element: Sendable {
        fileprivate let id: String
    }

    private let url: String

    /// Opens a window.
    ///
    /// - Parameters:
    ///   - isPhone: whether to be 390 pixels wide and dark, like a phone at night.
    ///   - blocksThirdPartyCookies: whether a page of one site gets no cookies of another into its requests; nil leaves
    ///     it to the browser.
    static func open(
        _ driver: ChromeDriver, isPhone: Bool = false, blocksThirdPartyCookies: Bool? = nil
    ) async throws -> BrowserWindow {
        let arguments: [String] = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking",
        ]
        var options: JSONObject = [
            "args": .array(arguments.map { .string($0) })
        ]
        if let blocksThirdPartyCookies {
            options["prefs"] = [
                "profile.cookie_controls_mode": blocksThirdPartyCookies ? 1 : 0,
                "profile.block_third_party_cookies": .bool(blocksThirdPartyCookies),
            ]
        }
        if let browser = ChromeDriver.browser { options["binary"] = .string(browser) }
        if isPhone {
            options["mobileEmulation"] = ["deviceMetrics": ["width": 390, "height": 844, "pixelRatio": 2]]
        }
        let capabilities: JSONObject = [
            "browserName": "chrome", "acceptInsecureCerts": true, "goog:chromeOptions": .object(options),
        ]
        let response = try await send(
            .POST, driver.url + "/session", ["capabilities": ["alwaysMatch": .object(capabilities)]])
        guard let id = response.objectValue?["sessionId"]?.text?.makeString() else {
            throw Failure(command: "session", description: "no session id")
        }
        let window = BrowserWindow(url: "\(driver.url)/session/\(id)")
        try await window.post("timeouts", ["implicit": 30_000, "pageLoad": 60_000])
        if isPhone {
            let dark: JSONObject = ["features": [["name": "prefers-color-scheme", "value": "dark"]]]
            try await window.post("goog/cdp/execute", ["cmd": "Emulation.setEmulatedMedia", "params": .object(dark)])
        }
        return window
    }

    /// Closes the window and ends the browser.
    func close() async throws {
        _ = try await Self.send(.DELETE, url, nil)
    }

    /// Goes to a URL, and returns when the page is loaded.
    func go(to address: String) async throws {
        try await post("url", ["url": .string(address)])
    }

    /// Presses "back", and returns when that page is shown.
    func back() async throws {
        try await post("back", [:])
    }

    /// Presses "reload"; what a form was answered with is asked for by sending the form again.
    func reload() async throws {
        try await post("refresh", [:])
    }

    /// The URL in the address bar.
    func address() async throws -> String {
        try await Self.send(.GET, url + "/url", nil).text?.makeString() ?? ""
    }

    /// The first element that a CSS selector selects; waits for it.
    func find(_ selector: String) async throws -> Element {
        let response = try await post("element", ["using": "css selector", "value": .string(selector)])
        return try Self.element(response)
    }

    /// All elements that a CSS selector selects; waits for the first.
    func all(_ selector: String) async throws -> [Element] {
        let response = try await post("elements", ["using": "css selector", "value": .string(selector)])
        return try (response.arrayValue ?? []).map(Self.element)
    }

    /// Clicks, and returns when the page it leads to is loaded.
    func click(_ selector: String) async throws {
        try await onElement(selector) { try await post("element/\($0.id)/click", [:]) }
    }

    /// Types.
    func type(_ text: String, into selector: String) async throws {
        try await post("element/\(try await find(selector).id)/value", ["text": .string(text)])
    }

    /// The text that is visible.
    func text(of selector: String) async throws -> String {
        try await onElement(selector) { element in
            try await Self.send(.GET, "\(url)/element/\(element.id)/text", nil).text?.makeString() ?? ""
        }
    }

    /// The same, read again until it is what is expected, as long as a page may take to come.
    func text(of selector: String, becoming expected: String) async throws -> String {
        for _ in 0..<5000 {
            let text = try await text(of: selector)
            if text == expected { return text }
        }
        return try await text(of: selector)
    }

    /// Finds an element and uses it; again where the page was replaced in between, when nothing was done yet.
    @discardableResult
    private func onElement<Result>(
        _ selector: String, _ use: (Element) async throws -> Result
    ) async throws -> Result {
        for _ in 0..<20 {
            do {
                return try await use(try await find(selector))
            } catch let failure as Failure where failure.description.contains("stale element") {
                continue
            }
        }
        return try await use(try await find(selector))
    }

    /// Whether the page that is shown has such an element now; does not wait.
    func has(_ selector: String) async throws -> Bool {
        try await evaluate("document.querySelector('\(selector)') !== null") == true
    }

    /// Sends a command of the Chrome DevTools Protocol.
    @discardableResult
    func command(_ name: String, _ parameters: JSONObject) async throws -> JSONValue {
        try await post("goog/cdp/execute", ["cmd": .string(name), "params": .object(parameters)])
    }

    /// Evaluates an expression in the page; of a promise, what it comes to.
    func evaluate(_ expression: String) async throws -> JSONValue {
        try await post("execute/sync", ["script": .string("return (\(expression));"), "args": []])
    }

    @discardableResult
    private func post(_ command: String, _ body: JSONObject) async throws -> JSONValue {
        try await Self.send(.POST, "\(url)/\(command)", body)
    }

    /// W3C WebDriver section 12.2: the key under which a reference to an element stands.
    private static func element(_ value: JSONValue) throws -> Element {
        guard let id = value.objectValue?["element-6066-11e4-a52e-4f735466cecf"]?.text?.makeString() else {
            throw Failure(command: "element", description: "no element")
        }
        return Element(id: id)
    }

    private static func send(_ method: HTTPMethod, _ url: String, _ body: JSONObject?) async throws -> JSONValue {
        var request = HTTPClientRequest(url: url)
        request.method = method
        if let body {
            request.headers.add(name: "content-type", value: "application/json; charset=utf-8")
            request.body = .bytes(ByteBuffer(bytes: body.serialized()))
        }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let bytes = Array(try await response.body.collect(upTo: 1 << 22).readableBytesView)
        let value = try JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 1 << 22))["value"] ?? .null
        guard response.status == .ok else {
            let message = value.objectValue?["message"]?.text?.makeString() ?? "status \(response.status.code)"
            throw Failure(command: String(url.split(separator: "/").last ?? ""), description: message)
        }
        return value
    }
}
