// SPDX-License-Identifier: Apache-2.0

extension PageTexts {
    /// English.
    package static let english = PageTexts(
        tag: "en",
        direction: .leftToRight,
        signInTo: "Sign in to \(.name)",
        chooseProvider: "Choose how you would like to sign in.",
        continueWith: "Continue with \(.name)",
        continueToQuestion: "Continue to \(.name)?",
        signedInAs: "You are signing in as \(.name).",
        continueOnlyIfStarted:
            "This signs you in to an app on this device. Continue only if you have just started this yourself, in that app.",
        continueTo: "Continue to \(.name)",
        cancel: "Cancel",
        responseGoesTo: "You will then be taken to \(.name).",
        mayCloseAfterwards: "After that you may close this page.",
        oneMoreStep: "One more step",
        needsConfirmation: "Your browser needs your confirmation to continue. Press “Continue”.",
        continue: "Continue",
        scriptNeeded:
            "Your browser does not run the small script (JavaScript) that this page needs. Allow scripts for this page and load it again.",
        beingSignedIn: "Please wait. This page continues by itself.",
        noSignInInLink: "This page was opened without a sign-in. Go back to the app or website and start again.",
        mayBeClosed:
            "You may close this window and go back to the app or website where you started.",
        signOutOfQuestion: "Sign out of \(.name)?",
        signOutQuestion: "Sign out?",
        signOutNote:
            "You may also be signed out of the service that you signed in with. If you did not want to sign out, close this page.",
        signOut: "Sign out",
        signedOut: PageMessage(
            "Sign-out is finished",
            "You may still be signed in to the service that you signed in with. On a shared device, sign out there too."
        ),
        brokenSignOut: PageMessage(
            "This sign-out does not work",
            "Its link is incomplete or has expired, so you may still be signed in. Go back to the app or website and sign out there."
        ),
        reference: "If you ask for help, give this code: \(.name)",
        forDevelopers: "For the developers of the app or website: \(.name)",
        startAgain: "Start again",
        backTo: "Back to \(.name)",
        imprint: "Legal notice",
        privacy: "Privacy",
        aboutServer: PageMessage(
            "This is a sign-in server",
            "Apps and websites use it to sign you in. There is nothing to do on this page: open the app or website that you want to use, and sign in there."
        ),
        alreadyFinished: PageMessage(
            "This sign-in is finished or was interrupted",
            "It cannot be used again. Go back to the app or website: you may already be signed in there. If you are not, start again."
        ),
        expired: PageMessage(
            "This sign-in took too long",
            "For your security, a sign-in must be finished within a few minutes. Go back to the app or website and start again."
        ),
        otherBrowser: PageMessage(
            "This sign-in was not begun here",
            "It was begun in another browser or in private browsing, or this browser blocks cookies. Go back to the app or website and start again."
        ),
        changed: PageMessage(
            "Please start again",
            "The settings for signing in have changed in the meantime. Go back to the app or website and start again."),
        brokenLink: PageMessage(
            "This link does not work",
            "It is incomplete or out of date, or it does not belong here. Go back to the app or website and start again."
        ),
        notLoadable: PageMessage(
            "This page cannot be loaded like this",
            "It opens only as a step of signing in or out. Go back to the app or website and start again."),
        notFound: PageMessage(
            "This page does not exist",
            "The link may be incorrect or out of date. Go back to the app or website and start again."),
        notSupported: PageMessage(
            "Not supported yet",
            "The app or website uses a way of signing in that does not work here yet, so you are not signed in. Please contact its support."
        ),
        unavailable: PageMessage(
            "Signing in is not possible right now",
            "A service that is needed for it is busy or does not answer. Wait a few minutes, then go back to the app or website and try again."
        ),
        siteFailed: PageMessage(
            "Signing in did not work",
            "This website could not complete your sign-in. Please try again. If it fails again, contact the website’s support."
        ),
        failed: PageMessage(
            "Signing in did not work",
            "Your sign-in could not be started. Please try again. If it fails again, contact the website’s support."
        ),
        tooManyAttempts: PageMessage(
            "Please wait a moment",
            "Too many attempts to sign in came from your network. Wait a minute, then load this page again."),
        cancelled: PageMessage(
            "You did not sign in",
            "The sign-in was canceled or refused. If you want to try again, go back to the app or website."),
        noAccess: PageMessage(
            "You do not have access",
            "Your account may not be used for this app or website. Ask its operator for access, or start again with another account."
        ),
        unverified: PageMessage(
            "Signing in did not work",
            "The sign-in could not be verified and was stopped for your security. Go back to the app or website and start again."
        ),
        cannotBegin: PageMessage(
            "This sign-in cannot begin",
            "The link that brought you here is incomplete or invalid. Go back to the app or website and try again. If it fails again, contact its support."
        ),
        formFromElsewhere: PageMessage(
            "Your choice was not accepted",
            "It did not come from the page on which you choose how to sign in. Go back to the app or website and start again."
        ),
        startOver: PageMessage(
            "Please start again",
            "The page was open for too long or was used before, or this browser blocks cookies. Go back to the app or website and start again."
        ))
}
