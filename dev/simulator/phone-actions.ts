import { join } from 'node:path'
import { z } from 'zod'
import { type Numbered, openJournal } from '../journal.ts'

/** An action on a phone. `data` and `displayText` are those of the button. */
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

/** A stored action. */
export type PhoneActionItem = Numbered & { userId: string; act: PhoneAction }

/** The actions on all phones, stored beside the calls and reloaded after a restart. */
export type PhoneActions = {
  record(userId: string, act: PhoneAction): PhoneActionItem
  /** One person's recent actions, oldest first. */
  of(userId: string): PhoneActionItem[]
  /** Whether the person blocks the account, at `at` (ISO 8601) or now. Initially all people follow it. */
  hadBlocked(userId: string, at?: string): boolean
  /** The number of the last action of any phone, 0 before the first. */
  last(): number
  close(): void
}

const keptPerPerson = 200

/** Opens the actions stored in `dir`. */
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
