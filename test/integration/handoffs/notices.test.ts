import { describe, expect, it } from 'vitest'
import { insertWebhookEvents } from '../../../src/db/queries/event/webhook.ts'
import { closeHandoff } from '../../../src/db/queries/handoff/handoff.ts'
import { insertHandoffNotices } from '../../../src/db/queries/handoff/notice.ts'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import { sendNextHandoffNotice } from '../../../src/services/notices/send.ts'
import { processNextWebhookEvent } from '../../../src/services/webhooks/process-event.ts'
import { startApi } from '../../fixtures/api.ts'
import { contentFor } from '../../fixtures/cleared.ts'
import { avatarEvent, insertHandoff } from '../../fixtures/handoffs.ts'
import { sendNotices } from '../../fixtures/notice-mails.ts'
import { selectRows } from '../../fixtures/rows.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(() => startApi({ services: { avatarUnit: 'Admissions' } }))

const sendAll = (outcome?: Outcome) => sendNotices(sendNextHandoffNotice, api.services, outcome)
const members = async () => {
  const rows = await api.database.db
    .selectFrom('member')
    .innerJoin('person', 'person.id', 'member.person_id')
    .select('email')
    .distinct()
    .where('unit_id', '=', api.units.a)
    .execute()
  return rows.map(({ email }) => email).sort()
}

async function opened(columns: { test?: boolean } = {}) {
  const { db } = api.database
  const id = await insertHandoff(db, { unit_id: api.units.a, ...columns })
  await db.transaction().execute((trx) => insertHandoffNotices(trx, id))
  return id
}

describe('a handoff that opens', () => {
  it('is mailed to everybody in the unit, once, without a word of it', async () => {
    const { text = '', ...event } = avatarEvent({ text: 'canary' })
    const payload = { ...event, text }
    await insertWebhookEvents(api.database.db, 'avatar', [
      {
        ...{ eventId: event.eventId, type: event.type, address: event.channelUser, subjectId: null },
        ...{ occurredAt: event.occurredAt, payload, outcome: null },
      },
    ])
    while (await processNextWebhookEvent(api.services));
    const mails = await sendAll()
    expect(mails.flatMap(({ to }) => to.map(({ address }) => address)).sort()).toEqual(await members())
    const { id } = await api.database.db.selectFrom('handoff').select('id').executeTakeFirstOrThrow()
    for (const mailing of mails) {
      const mail = contentFor(mailing.content)
      expect(JSON.stringify(mail.text)).toContain(`https://hub.example.edu/handoffs/${id}`)
      expect(JSON.stringify(mail)).not.toContain('canary')
      expect(JSON.stringify(mail)).not.toContain(event.channelUser)
    }
    expect(await sendAll()).toEqual([])
  })

  it('is mailed to the others where a person has switched these mails off', async () => {
    const { db } = api.database
    const off = { email: 'editor@example.org' }
    const set = (on: boolean) =>
      db.updateTable('person').set({ handoff_notices: on }).where('email', '=', off.email).execute()
    await set(false)
    await opened()
    const told = (await sendAll()).flatMap(({ to }) => to.map(({ address }) => address))
    expect(told.sort()).toEqual((await members()).filter((email) => email !== off.email))
    await set(true)
  })

  it('is mailed to nobody once it is closed, or if it is a test', async () => {
    const id = await opened()
    await opened({ test: true })
    await api.database.db
      .transaction()
      .execute((trx) => closeHandoff(trx, id, { by: 'key:k', reason: 'closed' }))
    expect(await sendAll()).toEqual([])
    const rows = await selectRows(api.database.db, 'handoff_notice', { handoff_id: id }, ['state'])
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['obsolete']))
  })

  it('is mailed to the others where the server rejects one, and again where it does not answer', async () => {
    await opened()
    const everybody = (await sendAll({ kind: 'refused', code: '550' })).length
    expect(everybody).toBe((await members()).length)
    expect(await sendAll()).toEqual([])
    await opened()
    await sendAll({ kind: 'unavailable', code: 'timeout', certain: true })
    await api.database.db
      .updateTable('handoff_notice')
      .set({ next_try_at: new Date(0) })
      .execute()
    expect(await sendAll()).toHaveLength(everybody)
  })
})
