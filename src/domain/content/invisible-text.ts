/** A flag of emoji, whose letters are invisible tags (Unicode Technical Standard 51, ED-14a). */
const flags = /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,10}\u{E007F}/gu

/**
 * Control characters except tab and line ends; what changes the direction of the text around it (Unicode Standard Annex
 * 9); what takes no space, blank letters, and tags. Joiners, variation selectors and soft hyphens are part of ordinary
 * words and emoji.
 */
const invisible =
  /[\p{Bidi_Control}\u115F\u1160\u180E\u200B\u2060-\u2064\u206A-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0001}\u{E0020}-\u{E007F}]|[^\P{Cc}\t\n\r]/u

const eachInvisible = new RegExp(`(${flags.source})|(?:${invisible.source})`, 'gu')
/** What no reader sees: white space, the braille blank, and what is ignored by default (Unicode Standard 5.21). */
const unseen = /[\s\u2800\p{Default_Ignorable_Code_Point}]+/gu

/** A text without such characters. */
export function withoutInvisible(text: string): string {
  return text.replace(eachInvisible, '$1')
}

/** Whether a reader sees nothing of a text. */
export function isUnseen(text: string): boolean {
  return text.replace(unseen, '') === ''
}

/** The first character of a text that no reader sees but that can change what they see, as `U+202E`; null if none. */
export function invisibleIn(text: string): string | null {
  const [character] = invisible.exec(text.replaceAll(flags, '')) ?? []
  if (character === undefined) return null
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}
