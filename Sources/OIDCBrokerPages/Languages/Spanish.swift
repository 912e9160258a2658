// SPDX-License-Identifier: Apache-2.0

extension PageTexts {
    /// Spanish.
    static let spanish = PageTexts(
        tag: "es",
        direction: .leftToRight,
        signInTo: "Iniciar sesión en \(.name)",
        chooseProvider: "Elija cómo desea iniciar sesión.",
        continueWith: "Continuar con \(.name)",
        continueToQuestion: "¿Continuar a \(.name)?",
        signedInAs: "Va a iniciar sesión como \(.name).",
        continueOnlyIfStarted:
            "Iniciará sesión en una aplicación de este dispositivo. Continúe solo si acaba de empezar usted este inicio de sesión en esa aplicación.",
        continueTo: "Continuar a \(.name)",
        cancel: "Cancelar",
        responseGoesTo: "A continuación irá a \(.name).",
        mayCloseAfterwards: "Después puede cerrar esta página.",
        oneMoreStep: "Un paso más",
        needsConfirmation: "Su navegador necesita su confirmación para seguir. Pulse «Continuar».",
        continue: "Continuar",
        scriptNeeded:
            "Su navegador no ejecuta el pequeño script (JavaScript) que esta página necesita. Permita los scripts en esta página y vuelva a cargarla.",
        beingSignedIn: "Espere un momento: esta página sigue automáticamente.",
        noSignInInLink:
            "Esta página se ha abierto sin ningún inicio de sesión. Vuelva a la aplicación o al sitio web y empiece de nuevo.",
        mayBeClosed:
            "Puede cerrar esta ventana y volver a la aplicación o al sitio web donde empezó.",
        signOutOfQuestion: "¿Cerrar sesión en \(.name)?",
        signOutQuestion: "¿Cerrar sesión?",
        signOutNote:
            "Es posible que también se cierre la sesión en el servicio con el que la inició. Si no quería cerrar sesión, cierre esta página.",
        signOut: "Cerrar sesión",
        signedOut: PageMessage(
            "El cierre de sesión ha terminado",
            "Es posible que su sesión siga abierta en el servicio con el que la inició. En un dispositivo compartido, ciérrela también allí."
        ),
        brokenSignOut: PageMessage(
            "Este cierre de sesión no funciona",
            "El enlace está incompleto o ha caducado, por lo que es posible que su sesión siga abierta. Vuelva a la aplicación o al sitio web y cierre sesión allí."
        ),
        reference: "Si pide ayuda, indique este código: \(.name)",
        forDevelopers: "Para los desarrolladores de la aplicación o del sitio web: \(.name)",
        startAgain: "Empezar de nuevo",
        backTo: "Volver a \(.name)",
        imprint: "Aviso legal",
        privacy: "Privacidad",
        aboutServer: PageMessage(
            "Este es un servidor de inicio de sesión",
            "Las aplicaciones y los sitios web lo utilizan para que usted inicie sesión. En esta página no hay nada que hacer: abra la aplicación o el sitio web que quiera usar e inicie sesión allí."
        ),
        alreadyFinished: PageMessage(
            "Este inicio de sesión ha terminado o se ha interrumpido",
            "No se puede volver a utilizar. Vuelva a la aplicación o al sitio web: es posible que su sesión ya esté iniciada allí. Si no es así, empiece de nuevo."
        ),
        expired: PageMessage(
            "Este inicio de sesión ha tardado demasiado",
            "Por su seguridad, un inicio de sesión debe completarse en pocos minutos. Vuelva a la aplicación o al sitio web y empiece de nuevo."
        ),
        otherBrowser: PageMessage(
            "Este inicio de sesión no empezó aquí",
            "Empezó en otro navegador o en una ventana privada, o este navegador bloquea las cookies. Vuelva a la aplicación o al sitio web y empiece de nuevo."
        ),
        changed: PageMessage(
            "Empiece de nuevo",
            "Entretanto ha cambiado la configuración del inicio de sesión. Vuelva a la aplicación o al sitio web y empiece de nuevo."
        ),
        brokenLink: PageMessage(
            "Este enlace no funciona",
            "Está incompleto, ha caducado o no pertenece a este sitio. Vuelva a la aplicación o al sitio web y empiece de nuevo."
        ),
        notLoadable: PageMessage(
            "Esta página no se puede cargar así",
            "Solo se abre como un paso del inicio o del cierre de sesión. Vuelva a la aplicación o al sitio web y empiece de nuevo."
        ),
        notFound: PageMessage(
            "Esta página no existe",
            "Es posible que la dirección sea incorrecta o ya no sirva. Vuelva a la aplicación o al sitio web y empiece de nuevo."
        ),
        notSupported: PageMessage(
            "Todavía no es compatible",
            "La aplicación o el sitio web utiliza una forma de iniciar sesión que aquí todavía no funciona, por lo que no ha iniciado sesión. Póngase en contacto con su servicio de asistencia."
        ),
        unavailable: PageMessage(
            "Ahora no es posible iniciar sesión",
            "Un servicio necesario está saturado o no responde. Espere unos minutos, vuelva a la aplicación o al sitio web e inténtelo de nuevo."
        ),
        siteFailed: PageMessage(
            "No se pudo iniciar sesión",
            "Este sitio web no pudo completar su inicio de sesión. Inténtelo de nuevo. Si vuelve a fallar, póngase en contacto con la asistencia del sitio."
        ),
        failed: PageMessage(
            "No se pudo iniciar sesión",
            "Su inicio de sesión no pudo comenzar. Inténtelo de nuevo. Si vuelve a fallar, póngase en contacto con la asistencia del sitio."
        ),
        tooManyAttempts: PageMessage(
            "Espere un momento",
            "Ha habido demasiados intentos de inicio de sesión desde su red. Espere un minuto y vuelva a cargar esta página."
        ),
        cancelled: PageMessage(
            "No ha iniciado sesión",
            "El inicio de sesión se canceló o se rechazó. Si quiere volver a intentarlo, regrese a la aplicación o al sitio web."
        ),
        noAccess: PageMessage(
            "No tiene acceso",
            "Su cuenta no puede utilizarse en esta aplicación o sitio web. Pida acceso a sus responsables o empiece de nuevo con otra cuenta."
        ),
        unverified: PageMessage(
            "No se pudo iniciar sesión",
            "El inicio de sesión no se pudo verificar y se detuvo por su seguridad. Vuelva a la aplicación o al sitio web y empiece de nuevo."
        ),
        cannotBegin: PageMessage(
            "Este inicio de sesión no puede empezar",
            "El enlace por el que ha llegado aquí está incompleto o no es válido. Vuelva a la aplicación o al sitio web e inténtelo de nuevo. Si vuelve a fallar, póngase en contacto con su servicio de asistencia."
        ),
        formFromElsewhere: PageMessage(
            "No se aceptó su elección",
            "No procedía de la página en la que se elige cómo iniciar sesión. Vuelva a la aplicación o al sitio web y empiece de nuevo."
        ),
        startOver: PageMessage(
            "Empiece de nuevo",
            "La página estuvo abierta demasiado tiempo o ya se había utilizado, o este navegador bloquea las cookies. Vuelva a la aplicación o al sitio web y empiece de nuevo."
        ))
}
