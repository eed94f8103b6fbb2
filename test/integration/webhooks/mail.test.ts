import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { startWebhookApi } from '../../fixtures/webhooks.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startWebhookApi)

describe('mail', () => {
  const postMail = async (...events: object[]) => {
    const answer = await api.postRaw('email', JSON.stringify({ events }))
    await api.processAll()
    return answer
  }
  const suppressed = async () => {
    const rows = await api.database.db
      .selectFrom('address')
      .innerJoin('suppression', (on) =>
        on
          .onRef('suppression.channel', '=', 'address.channel')
          .onRef('suppression.hash', '=', 'address.hash'),
      )
      .select('address')
      .execute()
    return rows.map(({ address }) => address)
  }
  const whySuppressed = async () => {
    const { rows } = await sql<{ why: string; n: number }>`
      select why, count(*)::int as n from suppression group by why`.execute(api.database.db)
    return Object.fromEntries(rows.map(({ why, n }) => [why, n]))
  }
  beforeAll(async () => {
    const { db } = api.database
    for (const uid of ['s1', 's2', 's3'])
      await db
        .insertInto('address')
        .values({ subject_id: (await api.person(uid)).id, channel: 'email', address: `${uid}@example.edu` })
        .execute()
  })

  it('that bounced for good, or was complained about, is the last one to that address', async () => {
    await postMail(
      { id: '1', type: 'bounce', address: 's1@Example.EDU' },
      { id: '2', type: 'bounce', address: 's2@example.edu', permanent: false },
      { id: '3', type: 'bounce', address: 'nobody@example.edu' },
    )
    expect(await suppressed()).toEqual(['s1@example.edu'])
    expect((await postMail({ id: '1', type: 'complaint', address: 's2@example.edu' })).body).toEqual({
      stored: 0,
    })
    const messageId = `<${randomUUID()}.${(await api.person('s3')).id}@campus.example.edu>`
    await postMail({ id: '4', type: 'complaint', messageId })
    expect((await suppressed()).sort()).toEqual(['s1@example.edu', 's3@example.edu'])
  })

  it('that bounced must be named by address or Message-ID', async () => {
    expect((await postMail({ id: '9', type: 'bounce' })).body).toEqual({ stored: 0, unreadable: 1 })
    expect((await postMail({ id: '9', type: 'bounce', messageId: `<x.${randomUUID()}@y>` })).body).toEqual({
      stored: 1,
    })
  })

  it('that bounced for many at once suppresses nobody: the server is doubted, and what it had said before is lifted', async () => {
    const db = api.database.db
    await sql`delete from suppression`.execute(db)
    await sql`delete from mail_server`.execute(db)
    await postMail({ id: 'doubt-0', type: 'complaint', address: 'complained@example.edu' })
    const bounces = Array.from({ length: 30 }, (_, n) => ({
      ...{ id: `doubt-${n + 1}`, type: 'bounce', address: `bounced-${n}@example.edu` },
    }))
    await postMail(...bounces.slice(0, 9))
    expect(await whySuppressed()).toEqual({ bounce: 9, complaint: 1 })
    await postMail(...bounces.slice(9))
    expect(await whySuppressed()).toEqual({ complaint: 1 })
    const { rows } = await sql<{ outcome: string; n: number }>`
      select outcome, count(*)::int as n from webhook_event where address like 'bounced-%' group by outcome order by 1
    `.execute(db)
    expect(rows).toEqual([
      { outcome: 'doubted', n: 21 },
      { outcome: 'suppressed', n: 9 },
    ])
    await sql`update mail_server set doubted_since = doubted_since - interval '24 hours'`.execute(db)
    await postMail({ id: 'doubt-later', type: 'bounce', address: 'bounced-0@example.edu' })
    expect(await whySuppressed()).toEqual({ bounce: 1, complaint: 1 })
  })
})
