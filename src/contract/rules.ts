import { fieldRules } from './rules/fields.ts'
import { objectRules } from './rules/objects.ts'
import { textRules } from './rules/texts.ts'
import { timeRules } from './rules/times.ts'
import { valueRules } from './rules/values.ts'

/**
 * Every rule that an issue can be about, with its English sentence, which follows the path of the value: a text, or a
 * function of the facts that it needs (docs/api/errors.md, Rules of issues). Pages have a sentence of their own for each
 * (src/api/console/kit/rules.ts).
 */
export const rules = { ...valueRules, ...fieldRules, ...timeRules, ...textRules, ...objectRules }

export type Rule = keyof typeof rules

/** What the sentence of a rule needs, which its issues have beside `rule`. */
export type FactsOf<R extends Rule> = (typeof rules)[R] extends (facts: infer Facts) => string
  ? Exclude<Facts, undefined>
  : Record<never, never>

type BrokenBy<R extends Rule> = R extends Rule ? { rule: R; message: string } & FactsOf<R> : never

/** A rule that a value breaks, with the facts, and the sentence in English. */
export type Broken = BrokenBy<Rule>

/** What is wrong with a request, and where: `path` as in `messages[0].text.zh-TW`; empty for the request as a whole. */
export type Issue = { path: string } & Broken

/** Facts may be omitted where the sentence needs none. */
export type Facts<R extends Rule> =
  Record<never, never> extends FactsOf<R> ? [facts?: FactsOf<R>] : [facts: FactsOf<R>]

/** Builds what an issue says: `{ path, ...broken('too_many', { limit, unit }) }`. */
export function broken<R extends Rule>(rule: R, ...[facts]: Facts<R>): BrokenBy<R> {
  const sentence = rules[rule] as string | ((facts: unknown) => string)
  const message = typeof sentence === 'string' ? sentence : sentence(facts)
  return { rule, message, ...(facts as object) } as BrokenBy<R>
}
