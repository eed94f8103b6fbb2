/** A flag of emoji, whose letters are invisible tags; or what is not seen: joiners and selectors of emoji as well. */
const unseen =
  /(\u{1F3F4}[\u{E0020}-\u{E007E}]{1,10}\u{E007F})|[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu

/** Punctuation, quotation marks, brackets and spaces. Not what may be all that tells two options apart. */
const mark = /^(?![#@%&/\\])[\p{P}~`\s]$/u

/** Characters that people use for one another, as input methods offer them; each pair with the one that counts first. */
const pairs =
  '台臺 裡裏 峰峯 著着 群羣 線綫 啟啓 為爲 眾衆 床牀 教敎 說説 稅税 脫脱 內内 戶户 錄録 秘祕 溫温 真眞 週周 占佔 吃喫'
const variants = new Map(pairs.split(' ').map(([counts, variant]) => [variant!, counts!]))

/**
 * A text as people mean it who type it: without marks and quotation marks at its ends, without what nobody sees, and
 * without regard to case, width, spaces and a few variants of characters. Two texts that people type are the same if these
 * are; what is stored is what was typed. Of a text of marks alone, the marks stay.
 */
export function normaliseText(text: string): string {
  const visible = text
    .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]/gu, ' ')
    .normalize('NFKC')
    .replaceAll(unseen, '$1')
    .replaceAll(/[\u2018\u2019\u02BC\u2032]/gu, "'")
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const bare = withoutMarks(visible)
  // Lower case first: ẞ is upper case already, and only ß becomes SS.
  const lower = (bare === '' ? visible : bare).toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
  return Array.from(lower, (character) => variants.get(character) ?? character).join('')
}

/** Without the marks at its ends; a minus before a number stays. */
function withoutMarks(text: string): string {
  const characters = Array.from(text)
  const isMinus = (at: number) => characters[at] === '-' && /^\p{N}/u.test(characters[at + 1] ?? '')
  let [start, end] = [0, characters.length]
  while (start < end && mark.test(characters[start]!) && !isMinus(start)) start += 1
  while (end > start && mark.test(characters[end - 1]!)) end -= 1
  return characters.slice(start, end).join('')
}
