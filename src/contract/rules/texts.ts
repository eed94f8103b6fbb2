/** A sentence that pages show in their own language. */
type Sentence = { 'zh-TW': string; en?: string | undefined }

/** Rules about what people write: texts, their variables, and files. */
export const textRules = {
  has_liquid: ({ of }: { of: LiquidFree }) => `must not contain Liquid: ${liquidFree[of]}`,
  invalid_template: ({ because }: { because: Sentence }) => `must be a valid template; ${because.en}`,
  unlisted_variable: ({ value }: { value: string }) =>
    `must not use ${value} without listing it in variables`,
  unknown_name: ({ value, values }: { value: string; values?: readonly string[] }) =>
    values
      ? `must not name person.${value}: person has ${values.join(', ')}`
      : `must not name ${value}, which has no value here. It may name person.displayName, pattern.left and the others of ` +
        'pattern, and answers.<id> of earlier questions; add other variables to the scenario',
  not_given_by_people: ({ because }: { because: Sentence }) =>
    `must not be true in a scenario with triggers. ${because.en}`,
  invisible_character: ({ of, value }: { of: 'text' | 'name' | 'line'; value: string }) =>
    invisible[of] + value,
  answer_button: ({ of }: { of: 'button' | 'quickReply' }) =>
    `${of === 'button' ? 'must be a link' : 'must not be a quickReply'}: people answer a reply by writing`,
  malformed_json: ({ line, column, isCutOff }: { line: number; column: number; isCutOff: boolean }) => {
    const at = `line ${line}, column ${column}`
    return `must be valid JSON; ${isCutOff ? `it ends too early, at ${at}` : `the fault is at ${at}`}`
  },
  malformed_csv: ({ line, limit }: { line?: number; limit?: number; unit?: 'bytes' }) => {
    const why =
      limit === undefined
        ? 'a quote is missing or misplaced'
        : `the record is longer than ${limit} bytes; shorten it, or close its quote`
    return `must be valid CSV; ${why}${line === undefined ? '' : ` in line ${line}`}`
  },
}

/** A text that is used as it is written. */
export type LiquidFree = keyof typeof liquidFree
const liquidFree = {
  calendar: 'a calendar fills in nothing',
  farewell: 'a farewell has no variables; write it in plain words',
  address:
    'it is used verbatim; name variables in `variables`, which go into the query ' +
    '(GET) or the JSON body (POST)',
}

const invisible = {
  text: 'must not contain the invisible control character ',
  name: 'must not contain the invisible character ',
  line: 'must be one line of visible characters, without ',
}
