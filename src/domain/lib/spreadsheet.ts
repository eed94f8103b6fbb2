/** What spreadsheets write in the place of a value: an error, in the words of some languages, or `####` for a narrow column. */
const errors = /^(#(N\/[AD]|NV|[\p{L}0/¡¿_]+[!?]|GETTING_DATA|#+)|Err:\d{3})$/iu

/** A long number, such as an id, as they round and shorten it: `1.12E+10`. */
const shortened = /^[+-]?\d([.,]\d+)?E[+-]\d{2,3}$/i

/** Whether a text is what a spreadsheet made of another, which cannot be told any more. */
export function isSpreadsheetResult(text: string): boolean {
  return shortened.test(text) || errors.test(text)
}

/** What is wrong with one, as `must not …`. */
export const spreadsheetResult =
  'must not be what a spreadsheet made of it, such as 1.12E+10 or #N/A; format the column as text, and export it again'
