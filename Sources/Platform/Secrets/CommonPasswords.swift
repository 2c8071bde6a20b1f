// Detects passwords that attackers try first: common words, their variations, and keyboard patterns.

package enum CommonPasswords {
    /// Whether the password is common, as typed or without the usual variations: capitals, digits and symbols around a word,
    /// digits for letters, repetition, sequences and keyboard rows.
    package static func contains(_ password: String) -> Bool {
        let typed = Array(password.lowercased())
        let unit = smallestRepeatedUnit(typed)
        let word = trimmed(unit)
        return unit.count <= 3
            || isWalk(unit)
            || [typed, unit, word, trimmed(lettersForDigits(unit)), lettersForDigits(word)]
                .contains { words.contains(String($0)) }
    }

    /// `abcabc` counts as `abc`; `aaaaaaaaaaaa` as `a`.
    private static func smallestRepeatedUnit(_ text: [Character]) -> [Character] {
        guard text.count > 1 else { return text }
        for length in 1...text.count / 2 where text.count.isMultiple(of: length) {
            let repeats = (length..<text.count).allSatisfy { text[$0] == text[$0 - length] }
            if repeats { return Array(text.prefix(length)) }
        }
        return text
    }

    /// Removes surrounding digits and symbols: `2024password!!` becomes `password`.
    private static func trimmed(_ text: [Character]) -> [Character] {
        let start = text.firstIndex { $0.isLetter } ?? text.endIndex
        let end = text.lastIndex { $0.isLetter }.map { $0 + 1 } ?? start
        return Array(text[min(start, end)..<end])
    }

    private static func lettersForDigits(_ text: [Character]) -> [Character] {
        text.map { lettersByDigit[$0] ?? $0 }
    }

    /// Whether the password consists only of runs of keyboard rows, the alphabet or digits, in either direction. A run has
    /// three or more neighbors.
    private static func isWalk(_ text: [Character]) -> Bool {
        var index = 0
        while index < text.count {
            let length = rows.map { walkLength(text[index...], in: $0) }.max() ?? 0
            guard length >= 3 else { return false }
            index += length
        }
        return !text.isEmpty
    }

    private static func walkLength(_ text: ArraySlice<Character>, in row: [Character]) -> Int {
        guard let first = text.first, let start = row.firstIndex(of: first) else { return 0 }
        return [1, -1].map { step in
            zip(0..., text).prefix { offset, character in
                let index = start + offset * step
                return row.indices.contains(index) && row[index] == character
            }.count
        }.max() ?? 0
    }

    private static let rows = [
        "12345678901234567890", "01234567890123456789", "qwertyuiop", "asdfghjkl", "zxcvbnm",
        "abcdefghijklmnopqrstuvwxyz",
        "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
        "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "qazwsxedcrfvtgbyhnujmikolp", "a1b2c3d4e5f6g7h8i9",
        "1a2b3c4d5e6f7g8h9i", "!@#$%^&*()",
    ].map { Array($0) }

    private static let lettersByDigit: [Character: Character] = [
        "0": "o", "1": "i", "!": "i", "3": "e", "4": "a", "@": "a", "5": "s", "$": "s", "7": "t", "8": "b", "9": "g",
    ]

    /// Lower case, without surrounding digits, which are removed before the lookup.
    private static let words = Set(
        """
        abcdef access accounting admin administrator adminadmin admin123 alexander amanda america andrea andrew angel
        angels anthony apple arsenal asdfgh ashley austin autumn babygirl backup bailey banana barcelona baseball
        basketball batman beautiful beckham blink bond brandon bubbles buster butterfly california caroline carlos
        changeit changeme changemenow changethis charlie cheese chelsea chicken chocolate chris christian claudia
        coffee company computer cookie corvette cowboys daniel danielle database default defaultpassword demo
        diamond dolphin donald dragon eagles elephant elizabeth eminem everton family ferrari flower flowers football
        forever forgotten freedom friday friend friends fuckoff fuckyou gabriel george ginger goodluck google guest
        guitar hannah happy harley hello hellohello helloworld hockey hunter iamgod iloveu iloveyou iloveyouforever
        internet jackson jasmine jennifer jessica jesus jesuschrist jordan joshua justin justinbieber killer kitty
        ladybug lakers letmein letmeinnow letmeinplease linkinpark liverpool liverpoolfc login london lovely loveme
        lover loveyou manager manchester manchesterunited mariposa marina martin master matrix matthew mercedes
        metallica michael michelle monday money monkey morgan mustang mypassword mynameis naruto newpassword newyork
        nicole ninja nopassword nothing november oracle orange passphrase passw0rd password passwordone passwordpassword
        passwort patrick peanut pepper phoenix pokemon postgres prince princess private qazwsx qwerty qwertyuiop
        qwertyqwerty rainbow rangers realmadrid richard robert root samantha samsung scooter secret secretpassword
        security september server shadow shopping silver slipknot soccer spiderman spring starwars stephanie summer
        sunflower sunshine superman superstar support sysadmin system taylor temp temporary test tester testing
        testpassword thankyou thebest thomas thunder tigger tinkerbell travel trustno trustnoone unbelievable undefined
        unknown user username vanessa victoria vitrine warcraft welcome welcomeback welcomehome whatever william winner
        winter wonderful yankees yellow zaqxsw
        correcthorsebatterystaple
        """
        .split(whereSeparator: \.isWhitespace).map(String.init))
}
