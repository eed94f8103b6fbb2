/** Control characters, which a terminal obeys, and those that change the direction of a line. Line ends and tabs stay. */
const controls = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu
/** Of these, JSON.stringify escapes the others. */
const unescaped = /[\u007f-\u009f\p{Bidi_Control}]/gu

/**
 * A text for a terminal. Titles and names are whatever an author has written, drafts among them: a control sequence in one
 * could clear the screen of the operator who lists them, or show another line than there is.
 */
export function printable(text: string): string {
  return text.replace(controls, '\uFFFD')
}

/** JSON for a program, which reads the same from it, and for a terminal. */
export function printableJson(data: unknown): string {
  return JSON.stringify(data, null, 2).replace(
    unescaped,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
