import { sql } from 'kysely'
import { expect } from 'vitest'
import { checkMailJournal } from '../../../../dev/journal-check/mail.ts'
import { insertCategory } from '../../../../src/db/queries/catalogue/category.ts'
import { checkInvariants } from '../../../../src/db/queries/doctor/doctor.ts'
import { setDefaultLimit } from '../../../../src/db/queries/quota/ledger.ts'
import { eventually } from '../../../harness/eventually.ts'
import type { Installation } from './installation.ts'
import type { Mailbox } from './mailbox.ts'
import { insertCrowd, withMail } from './people.ts'
import type { PlannedMessage, Times } from './producer.ts'

/** Categories on mail alone: unknown mail is left unknown, or repeated once. */
export const mailCategories = { keep: 'kept', repeat: 'repeated' } as const

/** The categories on mail, and more quota than can be used. */
export async function setUpMail({ db, unitId }: Installation): Promise<void> {
  for (const onUnknown of ['keep', 'repeat'] as const)
    await insertCategory(db, {
      ...{ id: mailCategories[onUnknown], onUnknown, layer: 'service' },
      name: { 'zh-TW': mailCategories[onUnknown], en: mailCategories[onUnknown] },
      channelPlan: { mode: 'all', channels: ['email'] },
    })
  await setDefaultLimit(db, { scope: unitId, channel: 'email', limit: 100_000_000 })
}

/** A message by mail to `size` new people, not created yet. */
export async function planMail(
  installation: Installation,
  people: number,
  { onUnknown = 'keep', ...times }: Times & { onUnknown?: keyof typeof mailCategories } = {},
): Promise<PlannedMessage> {
  const crowd = await insertCrowd(installation.db, people)
  await withMail(installation.db, crowd.tag)
  const message = installation.plan(crowd, times)
  message.body.categoryId = mailCategories[onUnknown]
  return message
}

/** Waits until the server has accepted `count` mails. */
export async function untilMailed(mailbox: Mailbox, mails: number): Promise<void> {
  await eventually(() => expect(mailbox.mails()).toBeGreaterThanOrEqual(mails), { limitMs: 40_000 })
}

/** How many mails of first waves and reminders stayed unknown, and how many arrived twice. */
export type Doubt = { unknown: number; twice: number }

/**
 * Checks every invariant of an installation that sent by mail alone: the SQL invariants, the inserted people against
 * the rows, the server's journal against both, and the canaries. Returns the unknown mails.
 */
export async function expectMailInvariants(installation: Installation, mailbox: Mailbox): Promise<Doubt> {
  const journal = mailbox.journal()
  const findings = [
    ...(await checkInvariants(installation.db)),
    ...(await checkMailJournal(installation.db, journal)),
  ]
  const { rows } = await sql<{ id: string; number: number; rows: number; reached: number; unknown: number }>`
    select message_id as id, number, unknown, count(*)::int as rows,
      (count(*) filter (where delivery.state in ('sent', 'unknown')))::int as reached
    from wave join delivery on delivery.wave_id = wave.id
    where channel = 'email'
    group by wave.id order by message_id, number`.execute(installation.db)
  const unlikeInserted = rows.filter(({ id, number, rows: count }) => {
    const crowd = installation.planned.find((message) => message.id === id)!.crowd
    const first = rows.find((row) => row.id === id && row.number === 0)!
    return count !== (number === 0 ? crowd.recipients.length + crowd.excluded.length : first.reached)
  })
  expect({
    'rows and journal': findings.filter(({ ok }) => !ok),
    'not as inserted': unlikeInserted,
    leaks: await installation.leaks(),
  }).toEqual({ 'rows and journal': [], 'not as inserted': [], leaks: [] })
  return {
    unknown: rows.reduce((sum, { unknown }) => sum + unknown, 0),
    twice: journal.length - new Set(journal.map(({ messageId }) => messageId)).size,
  }
}
