// Says how many words a text has, and how long they take to read.

// A whole number of words needs no exactness: letters and digits between spaces, and each ideograph.
const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*[\p{L}\p{N}][^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*/gu
const wordsPerMinute = 220

/** `line` has the texts for it. */
export function showWords(line, text) {
  const number = text.match(word)?.length ?? 0
  const { one, many, minutes } = line.dataset
  const texts = [number === 1 ? one : many.replace("%d", number)]
  if (number >= wordsPerMinute) texts.push(minutes.replace("%d", Math.round(number / wordsPerMinute)))
  line.textContent = texts.join(" · ")
  line.hidden = false
}
