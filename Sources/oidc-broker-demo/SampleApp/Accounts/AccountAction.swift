// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// An action on the page "Your account", with what its form says.
enum AccountAction: Sendable, Hashable {
    /// The path that a form is posted to.
    enum Path: String, Sendable {
        case signIn = "/account/sign-in"
        case signInAgain = "/account/again"
        case link = "/account/link"
        case unlink = "/account/unlink"
        case refresh = "/account/refresh"
        case delete = "/account/delete"
        case signOut = "/account/sign-out"
    }

    case signIn(DemoProvider, DemoUser)
    case signInAgain(DemoProvider, DemoUser)
    case link(DemoProvider, DemoUser)
    case unlink(DemoProvider)
    case refresh
    /// Deletes the account. The user agrees at Apple first, if it is linked; `nil` if the form names no user.
    case delete(DemoUser?)
    case signOut

    /// Reads a form; `nil` if the path belongs to no action, or a field is missing.
    init?(path: String, form: Parameters) {
        let provider: DemoProvider? = Self.field("provider", of: form)
        let user: DemoUser? = Self.field("user", of: form)
        switch (Path(rawValue: path), provider, user) {
        case (.signIn?, let provider?, let user?): self = .signIn(provider, user)
        case (.signInAgain?, let provider?, let user?): self = .signInAgain(provider, user)
        case (.link?, let provider?, let user?): self = .link(provider, user)
        case (.unlink?, let provider?, _): self = .unlink(provider)
        case (.refresh?, _, _): self = .refresh
        case (.delete?, _, _): self = .delete(user)
        case (.signOut?, _, _): self = .signOut
        default: return nil
        }
    }

    private static func field<Value: RawRepresentable<String>>(_ name: String, of form: Parameters) -> Value? {
        guard let received = try? form.nonEmptyValue(name), let text = received.ascii(atMost: 32) else { return nil }
        return Value(rawValue: text)
    }
}
