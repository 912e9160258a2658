// SPDX-License-Identifier: Apache-2.0

extension PageTexts {
    /// French.
    static let french = PageTexts(
        tag: "fr",
        direction: .leftToRight,
        signInTo: "Se connecter à \(.name)",
        chooseProvider: "Choisissez comment vous souhaitez vous connecter.",
        continueWith: "Continuer avec \(.name)",
        continueToQuestion: "Continuer vers \(.name)\u{202F}?",
        signedInAs: "Vous vous connectez en tant que \(.name).",
        continueOnlyIfStarted:
            "Vous allez vous connecter à une application sur cet appareil. Continuez uniquement si vous venez vous-même de lancer cette connexion dans l’application.",
        continueTo: "Continuer vers \(.name)",
        cancel: "Annuler",
        responseGoesTo: "Vous accéderez ensuite à \(.name).",
        mayCloseAfterwards: "Vous pourrez alors fermer cette page.",
        oneMoreStep: "Encore une étape",
        needsConfirmation:
            "Votre navigateur a besoin de votre confirmation pour continuer. Appuyez sur «\u{202F}Continuer\u{202F}».",
        continue: "Continuer",
        scriptNeeded:
            "Votre navigateur n’exécute pas le petit script (JavaScript) dont cette page a besoin. Autorisez les scripts pour cette page et rechargez-la.",
        beingSignedIn: "Veuillez patienter, la suite est automatique.",
        noSignInInLink:
            "Cette page a été ouverte sans qu’une connexion à votre compte soit en cours. Retournez dans l’application ou sur le site et recommencez.",
        mayBeClosed:
            "Vous pouvez fermer cette fenêtre et retourner dans l’application ou sur le site où vous avez commencé.",
        signOutOfQuestion: "Se déconnecter de \(.name)\u{202F}?",
        signOutQuestion: "Se déconnecter\u{202F}?",
        signOutNote:
            "Cela peut aussi vous déconnecter du service utilisé pour la connexion. Si vous ne vouliez pas vous déconnecter, fermez cette page.",
        signOut: "Se déconnecter",
        signedOut: PageMessage(
            "La déconnexion est terminée",
            "Vous êtes peut-être encore connecté au service utilisé pour vous connecter. Sur un appareil partagé, déconnectez-vous aussi de ce service."
        ),
        brokenSignOut: PageMessage(
            "Cette déconnexion ne fonctionne pas",
            "Le lien est incomplet ou a expiré, et votre compte est peut-être encore connecté. Retournez dans l’application ou sur le site pour vous déconnecter."
        ),
        reference: "Si vous demandez de l’aide, indiquez ce code\u{202F}: \(.name)",
        forDevelopers: "Pour les développeurs de l’application ou du site\u{202F}: \(.name)",
        startAgain: "Recommencer",
        backTo: "Retour à \(.name)",
        imprint: "Mentions légales",
        privacy: "Confidentialité",
        aboutServer: PageMessage(
            "Ceci est un serveur de connexion",
            "Des applications et des sites l’utilisent pour vous connecter. Il n’y a rien à faire sur cette page\u{202F}: ouvrez l’application ou le site que vous souhaitez utiliser et connectez-vous depuis celui-ci."
        ),
        alreadyFinished: PageMessage(
            "Cette connexion est terminée ou a été interrompue",
            "Elle ne peut pas servir une nouvelle fois. Retournez dans l’application ou sur le site, où la connexion est peut-être déjà établie. Sinon, recommencez."
        ),
        expired: PageMessage(
            "Cette connexion a pris trop de temps",
            "Pour votre sécurité, une connexion doit être terminée en quelques minutes. Retournez dans l’application ou sur le site et recommencez."
        ),
        otherBrowser: PageMessage(
            "Cette connexion n’a pas commencé ici",
            "Elle a commencé dans un autre navigateur ou en navigation privée, ou ce navigateur bloque les cookies. Retournez dans l’application ou sur le site et recommencez."
        ),
        changed: PageMessage(
            "Veuillez recommencer",
            "Les paramètres de connexion ont changé entre-temps. Retournez dans l’application ou sur le site et recommencez."
        ),
        brokenLink: PageMessage(
            "Ce lien ne fonctionne pas",
            "Il est incomplet ou périmé, ou il ne concerne pas ce site. Retournez dans l’application ou sur le site et recommencez."
        ),
        notLoadable: PageMessage(
            "Cette page ne peut pas être chargée ainsi",
            "Elle ne s’ouvre que comme étape d’une connexion ou d’une déconnexion. Retournez dans l’application ou sur le site et recommencez."
        ),
        notFound: PageMessage(
            "Cette page n’existe pas",
            "L’adresse est peut-être incorrecte ou périmée. Retournez dans l’application ou sur le site et recommencez."
        ),
        notSupported: PageMessage(
            "Pas encore pris en charge",
            "L’application ou le site utilise un mode de connexion qui ne fonctionne pas encore ici, et la connexion n’a pas eu lieu. Veuillez contacter son assistance."
        ),
        unavailable: PageMessage(
            "La connexion est impossible pour le moment",
            "Un service nécessaire est surchargé ou ne répond pas. Attendez quelques minutes, puis retournez dans l’application ou sur le site et réessayez."
        ),
        siteFailed: PageMessage(
            "La connexion a échoué",
            "Ce site n’a pas pu terminer votre connexion. Veuillez réessayer. En cas de nouvel échec, contactez l’assistance du site."
        ),
        failed: PageMessage(
            "La connexion a échoué",
            "Votre connexion n’a pas pu démarrer. Veuillez réessayer. En cas de nouvel échec, contactez l’assistance du site."
        ),
        tooManyAttempts: PageMessage(
            "Veuillez patienter un instant",
            "Il y a eu trop de tentatives de connexion depuis votre réseau. Attendez une minute, puis rechargez cette page."
        ),
        cancelled: PageMessage(
            "La connexion n’a pas eu lieu",
            "Elle a été annulée ou refusée. Si vous souhaitez réessayer, retournez dans l’application ou sur le site."),
        noAccess: PageMessage(
            "Vous n’avez pas accès",
            "Votre compte ne peut pas être utilisé pour cette application ou ce site. Demandez l’accès à ses responsables, ou recommencez avec un autre compte."
        ),
        unverified: PageMessage(
            "La connexion a échoué",
            "Elle n’a pas pu être vérifiée et a été interrompue pour votre sécurité. Retournez dans l’application ou sur le site et recommencez."
        ),
        cannotBegin: PageMessage(
            "Cette connexion ne peut pas commencer",
            "Le lien par lequel vous arrivez ici est incomplet ou non valide. Retournez dans l’application ou sur le site et réessayez. En cas de nouvel échec, contactez son assistance."
        ),
        formFromElsewhere: PageMessage(
            "Votre choix n’a pas été accepté",
            "Il ne provenait pas de la page où l’on choisit comment se connecter. Retournez dans l’application ou sur le site et recommencez."
        ),
        startOver: PageMessage(
            "Veuillez recommencer",
            "La page est restée ouverte trop longtemps ou a déjà servi, ou ce navigateur bloque les cookies. Retournez dans l’application ou sur le site et recommencez."
        ))
}
