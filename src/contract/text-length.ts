import type { z } from 'zod'
import { brokenAt } from './broken-rule.ts'
import { refuseManyMarks } from './light-marks.ts'
import { limits } from './limits.ts'

/** The characters of all strings in a value, at any depth. */
export function textLengthOf(value: unknown): number {
  let length = 0
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') length += next.length
    else if (typeof next === 'object' && next !== null)
      for (const inner of Object.values(next)) open.push(inner)
  }
  return length
}

/** The limit, as issues state it. */
export const mostTogether = { limit: limits.textLength, unit: 'characters' } as const

/** The limit, as the description of the API states it. */
export const textLimit = `At most ${limits.textLength.toLocaleString('en')} characters in all texts together.`

/** Refuses content whose texts, with its links and ids, have more characters together than `limits.textLength`, or too many marks. */
export function refuseLongText(
  { messages, subject, variables }: { messages?: unknown; subject?: unknown; variables?: unknown },
  context: z.RefinementCtx,
): void {
  refuseManyMarks(messages, 'messages', context)
  const length = textLengthOf([messages, subject, variables])
  if (length <= limits.textLength) return
  context.addIssue(
    brokenAt(['messages'], 'too_long_together', { ...mostTogether, count: length, remedy: 'split' }),
  )
}
