import type { z } from 'zod'
import { brokenAt } from './broken-rule.ts'
import { lightMark } from './enums.ts'
import { limits } from './limits.ts'

/** The marks of all lightly formatted texts in a value, at any depth. */
export function lightMarksOf(value: unknown): number {
  let count = 0
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if ('format' in next && next.format === 'light') count += marksOfTexts(next)
    for (const inner of Object.values(next)) open.push(inner)
  }
  return count
}

function marksOfTexts(formatted: { format: unknown; text?: unknown; body?: unknown }): number {
  const texts = [formatted.text, formatted.body].flatMap((localised) =>
    typeof localised === 'object' && localised !== null ? Object.values(localised) : [],
  )
  return texts.reduce(
    (sum, one) => sum + (typeof one === 'string' ? (one.match(lightMark)?.length ?? 0) : 0),
    0,
  )
}

/** Refuses content whose lightly formatted texts have more marks together than `limits.lightMarks`. */
export function refuseManyMarks(content: unknown, path: string, context: z.RefinementCtx): void {
  const count = lightMarksOf(content)
  if (count <= limits.lightMarks) return
  const facts = { limit: limits.lightMarks, unit: 'marks', count } as const
  context.addIssue(brokenAt([path], 'too_many_marks', facts))
}
