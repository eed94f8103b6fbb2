import { randomUUID } from 'node:crypto'
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
})
