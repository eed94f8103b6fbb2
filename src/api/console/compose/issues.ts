import type { Locale } from '../../../contract/enums.ts'
import { isOneOf } from '../../../contract/enums.ts'
import type { ErrorCode, ServiceError } from '../../../contract/errors.ts'
import { localise } from '../../../domain/content/localise.ts'
import { numberOf } from '../kit/format.ts'
import { kitWords } from '../kit/words.ts'
import { writtenKinds } from './form/acts.ts'
import { type FieldIssue, issuesOf } from './form/described.ts'
import { type ComposeWords, composeWords } from './words.ts'

/** What is wrong, for people: the server's words (src/contract/describe-issue.ts) in their language. */
export function issueText(locale: Locale, { code, message, missing }: FieldIssue): string {
  const { issues, refusals } = composeWords[locale]
  if (typeof message !== 'string') return localise(locale, message)
  if (missing) return issues.missing
  const [, least, limit, unit] =
    /^must (?:have|be) (at most|at least) (\d+)(?: (characters|entries))?$/.exec(message) ?? []
  if (limit === undefined)
    return issues.known[message] ?? refusals[code as ErrorCode] ?? issues.other(message)
  const number = numberOf(locale, Number(limit))
  if (least === 'at least') return issues.atLeast(number)
  return issues.atMost[unit === 'characters' || unit === 'entries' ? unit : 'value'](number)
}

/** Why the server would not do something: its own words in English; in Chinese those of its code, or of each field. */
export function refusalText(locale: Locale, error: ServiceError): string {
  if (locale === 'en') return error.message
  const { refusals } = composeWords[locale]
  const known = refusals[error.code]
  if (known !== undefined) return known
  const lines = issuesOf(error).map((issue) => {
    const label = fieldName(locale, issue.name, () => '')
    return `${label === '' ? '' : `${label}${kitWords[locale].colon}`}${issueText(locale, issue)}`
  })
  return lines.join(' ')
}

/** What a field is called, and where it is: “Part 2: Cards, card 1, Title (Chinese)”. `kindAt`: the kind of a block. */
export function fieldName(locale: Locale, name: string, kindAt: (block: string) => string): string {
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
      parts.push(entryName(words, step, counted, kindAt(`${step}.${number}`)))
      at += 1
    } else if (step === 'zh-TW' || step === 'en') label = words.inLanguage[step](label)
    else label = labelOf(locale, step) ?? label
  }
  return [...parts, ...(label === '' ? [] : [label])].join(kitWords[locale].comma)
}

function entryName(words: ComposeWords, list: string, number: string, kind: string): string {
  if (list === 'messages' && isOneOf(writtenKinds, kind)) return words.block(number, words.kinds[kind])
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
