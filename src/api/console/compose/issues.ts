import type { Locale } from '../../../contract/enums.ts'
import { isOneOf } from '../../../contract/enums.ts'
import type { ErrorCode, ServiceError } from '../../../contract/errors.ts'
import { broken } from '../../../contract/rules.ts'
import { localise } from '../../../domain/content/localise.ts'
import { numberOf } from '../kit/format.ts'
import { refusalWords } from '../kit/refusals.ts'
import { ruleText } from '../kit/rules.ts'
import { kitWords } from '../kit/words.ts'
import { writtenKinds } from './form/acts.ts'
import { type FieldIssue, issuesOf } from './form/parse-form.ts'
import { type ComposeWords, composeWords } from './words.ts'

/** What is wrong with a field, in the language of its reader. */
export function issueText(locale: Locale, { why, missing }: FieldIssue): string {
  if (missing) return ruleText(locale, broken('missing'))
  if ('rule' in why) return ruleText(locale, why)
  if (typeof why.message !== 'string') return localise(locale, why.message)
  return locale === 'en' ? why.message : refusalWords[locale][why.code as ErrorCode]
}

/** Why the server would not do something: its own words in English; in Chinese those of each field, or of its code. */
export function refusalText(locale: Locale, error: ServiceError): string {
  if (locale === 'en') return error.message
  const lines = issuesOf(error).map((issue) => {
    const label = fieldName(locale, issue.name, () => '')
    return `${label === '' ? '' : `${label}${kitWords[locale].colon}`}${issueText(locale, issue)}`
  })
  return lines.map((line) => (line.endsWith('。') ? line : `${line}。`)).join('')
}

/** What a field is called, and where it is: “Part 2: Cards, card 1, Title (Chinese)”. `valueAt`: the value of another. */
export function fieldName(locale: Locale, name: string, valueAt: (name: string) => string): string {
  const words = composeWords[locale]
  const steps = name.split('.')
  const parts: string[] = []
  let label = ''
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at]!
    const number = steps[at + 1]
    const counted =
      number !== undefined && /^\d+$/.test(number) ? numberOf(locale, Number(number) + 1) : undefined
    if (counted !== undefined) {
      parts.push(entryName(words, step, counted, valueAt(`${step}.${number}.${naming[step] ?? ''}`)))
      at += 1
    } else if (step === 'zh-TW' || step === 'en') label = words.inLanguage[step](label)
    else label = labelOf(locale, fieldIn(name, step)) ?? label
  }
  return [...parts, ...(label === '' ? [] : [label])].join(kitWords[locale].comma)
}

/** The address of a button is no picture's, and what a variable is called stands on no button. */
function fieldIn(name: string, step: string): string {
  if (step === 'url' && name.includes('.actions.')) return 'link'
  return step === 'label' && name.startsWith('variables.') ? 'variableLabel' : step
}

/** The field of an entry by which people know it. */
const naming: Record<string, string> = { messages: 'kind', variables: 'label.zh-TW' }

function entryName(words: ComposeWords, list: string, number: string, value: string): string {
  if (list === 'messages' && isOneOf(writtenKinds, value)) return words.block(number, words.kinds[value])
  if (list === 'variables' && value !== '') return value
  const named = words.entry[list as keyof ComposeWords['entry']]
  return named === undefined ? number : words.numbered(named, number)
}

function labelOf(locale: Locale, step: string): string | undefined {
  const words = composeWords[locale]
  const labels: Record<string, string> = {
    ...kitWords[locale].dimensions,
    ...words.parts,
    ...words.fields,
  }
  return labels[step]
}
