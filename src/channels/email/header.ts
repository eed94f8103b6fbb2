const wordBytes = 45

/** A text as the value of an unstructured header field: unchanged, or in encoded words (RFC 2047), folded. */
export function headerText(text: string): string {
  return isPlain(text) ? text : encodedWords(text)
}

/** A name before an address (RFC 5322, 3.4). */
export function displayName(name: string): string {
  return isPlain(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : encodedWords(name)
}

/** Short printable ASCII that no mail program can take for an encoded word. Excludes line ends. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]{0,60}$/.test(text) && !text.includes('=?')
}

/** Each word contains whole characters and has its own line. */
function encodedWords(text: string): string {
  const words = ['']
  for (const character of text.toWellFormed()) {
    if (Buffer.byteLength(words.at(-1)! + character) > wordBytes) words.push('')
    words[words.length - 1] += character
  }
  return words.map((word) => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ')
}

/** A date in the format of mail (RFC 5322, 3.3). */
export function headerDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000')
}
