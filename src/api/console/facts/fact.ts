import type { ApprovalKind, Locale } from '../../../contract/enums.ts'
import { localise } from '../../../domain/content/localise.ts'
import type { Markup } from '../../../html/markup.ts'
import type { ViewHead } from '../../../services/approvals/kind.ts'
import { dateOf } from '../kit/format.ts'
import { actorName } from './actor-name.ts'
import type { FactWords } from './words.ts'

/** A line of the page: what it is about, and its paragraphs. */
export type Fact = [label: keyof FactWords['labels'], paragraphs: (string | Markup)[]]

/** The last facts of every kind. */
export function whoAndWhen(
  locale: Locale,
  { category, author, since, unit }: ViewHead<ApprovalKind>,
): Fact[] {
  return [
    ['category', [localise(locale, category)]],
    ['author', [actorName(locale, author)]],
    ['since', since === null ? [] : [dateOf(locale, unit.timeZone, since)]],
  ]
}
