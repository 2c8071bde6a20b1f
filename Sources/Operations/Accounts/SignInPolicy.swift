// How people sign in: the settings `login.attempts_*` and `session.*`.
import Platform

package struct SignInPolicy: Sendable {
    /// Failed attempts in 15 minutes after which an account, or an IP address, has to wait.
    package var attemptsPerAccount: Int
    package var attemptsPerIP: Int
    /// Minutes without a request, and hours in all, after which a session ends.
    package var idleMinutes: Int
    package var sessionHours: Int

    package init(_ settings: Settings) {
        attemptsPerAccount = settings.login.attemptsPerAccount
        attemptsPerIP = settings.login.attemptsPerIP
        idleMinutes = settings.session.idle.wholeSeconds / 60
        sessionHours = settings.session.absolute.wholeSeconds / 3600
    }
}
