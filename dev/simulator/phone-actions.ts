import { join } from 'node:path'
import { z } from 'zod'
import { type Numbered, openJournal } from '../journal.ts'

/** What the owner of a phone can do. `data` and `displayText` are the button's. */
export const PhoneAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('follow') }),
  z.strictObject({ kind: z.literal('block') }),
  z.strictObject({
    kind: z.literal('tap'),
    data: z.string().min(1).max(300),
    displayText: z.string().max(300).optional(),
  }),
  z.strictObject({ kind: z.literal('say'), text: z.string().min(1).max(5_000) }),
])
export type PhoneAction = z.infer<typeof PhoneAction>

/** An act as it is kept. */
export type PhoneActionItem = Numbered & { userId: string; act: PhoneAction }

/** What people did with their phones; kept beside the calls, and back after a restart. */
export type PhoneActions = {
  record(userId: string, act: PhoneAction): PhoneActionItem
  /** What one person did lately, oldest first. */
  of(userId: string): PhoneActionItem[]
  /** Whether they had blocked the account at this moment (ISO 8601), or have now. Everybody follows to begin with. */
  hadBlocked(userId: string, at?: string): boolean
  /** The number of the last act of anybody, 0 before the first. */
  last(): number
  close(): void
}

const keptPerPerson = 200

/** Opens what is kept in `dir`. */
export async function openPhoneActions(dir: string): Promise<PhoneActions> {
  const people = new Map<string, PhoneActionItem[]>()
  const remember = (item: PhoneActionItem) =>
    people.set(item.userId, [...(people.get(item.userId) ?? []), item].slice(-keptPerPerson))
  const kept = await openJournal<PhoneActionItem>(join(dir, 'acts'), remember)
  const of = (userId: string) => people.get(userId) ?? []
  return {
    record(userId, act) {
      const item = kept.append({ userId, act })
      remember(item)
      return item
    },
    of,
    hadBlocked(userId, at = '9') {
      const turns = of(userId).filter((item) => item.at <= at && ['follow', 'block'].includes(item.act.kind))
      return turns.at(-1)?.act.kind === 'block'
    },
    last: kept.last,
    close: kept.close,
  }
}
