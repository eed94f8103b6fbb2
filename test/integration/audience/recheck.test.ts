import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AudienceSpec } from '../../../src/db/queries/audience/count.ts'
import { recheck } from '../../../src/db/queries/delivery/call.ts'
import { insertDeliveries } from '../../../src/db/queries/delivery/deliveries.ts'
import { setBlocked } from '../../../src/db/queries/subject/address.ts'
import { setPreferences, unsubscribeTopic, withdrawConsent } from '../../../src/db/queries/subject/consent.ts'
import { insertSuppressions } from '../../../src/db/queries/subject/suppression.ts'
import { newWave } from '../../fixtures/new-wave.ts'
import { populate } from '../../fixtures/population.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { reasonAgainst } from './model.ts'

let spec: AudienceSpec
const database = forFile(freshDatabase)
const population = forFile(() => populate(database.db, 300))
beforeAll(async () => {
  spec = {
    unitId: population.unitId,
    audience: { kind: 'all' },
    plan: { mode: 'first_available', channels: ['email', 'chat'] },
    categoryId: 'news',
    layer: 'service',
    consentScope: 'admission',
    topicId: population.topicId,
  }
})

let waveId: string
beforeEach(async () => {
  waveId = await database.db.transaction().execute(async (trx) => {
    const id = await newWave(trx)
    await insertDeliveries(trx, id, { ...spec, messageId: randomUUID() }, { chat: 500, email: 500 })
    return id
  })
})

async function firstMember(): Promise<string> {
  const { open } = await recheck(database.db, waveId, 'email', 0, spec)
  return open[0]!.subjectId
}

describe('right before a call, the members of a batch are checked again', () => {
  it('and all stay, each with the address of its channel, if nothing has changed', async () => {
    for (const channel of ['chat', 'email'] as const) {
      const { open, ineligible } = await recheck(database.db, waveId, channel, 0, spec)
      expect(ineligible).toEqual([])
      expect(open.length).toBeGreaterThan(0)
      for (const { subjectId, address } of open) {
        const person = population.people.find(({ id }) => id === subjectId)!
        expect(address).toBe(`${person.uid}@${channel}`)
        expect(reasonAgainst(person, spec, channel)).toBeNull()
      }
    }
  })

  it('and a member who has withdrawn consent is removed', async () => {
    const subjectId = await firstMember()
    await withdrawConsent(database.db, subjectId, 'admission')
    await expectFallen(subjectId, 'noConsent')
  })

  it('and a member who has switched the category off on this channel is removed', async () => {
    const subjectId = await firstMember()
    const preference = { subjectId, categoryId: 'news', channel: 'email' as const, enabled: false }
    await setPreferences(database.db, [preference])
    await expectFallen(subjectId, 'preferenceOff')
  })

  it('and a member who has unsubscribed from the topic is removed', async () => {
    const subjectId = await firstMember()
    await unsubscribeTopic(database.db, population.topicId, [subjectId])
    await expectFallen(subjectId, 'preferenceOff')
  })

  it('and a member who has blocked the account is removed', async () => {
    const subjectId = await firstMember()
    await database.db
      .transaction()
      .execute((trx) => setBlocked(trx, { subjectId, channel: 'email', blocked: true }))
    await expectFallen(subjectId, 'blocked')
  })

  it('and a member whose address is suppressed is removed', async () => {
    const subjectId = await firstMember()
    const { address, hash } = await database.db
      .selectFrom('address')
      .select(['address', 'hash'])
      .where('subject_id', '=', subjectId)
      .where('channel', '=', 'email')
      .executeTakeFirstOrThrow()
    const addresses = [{ address, hash: hash! }]
    await insertSuppressions(database.db, { channel: 'email', why: 'complaint', server: null, addresses })
    await expectFallen(subjectId, 'blocked')
  })

  it('and an erased member is removed', async () => {
    const subjectId = await firstMember()
    await database.db.deleteFrom('subject').where('id', '=', subjectId).execute()
    await expectFallen(subjectId, 'noConsent')
  })

  it('and members with an outcome stay', async () => {
    const subjectId = await firstMember()
    await updateRows(database.db, 'delivery', { wave_id: waveId, subject_id: subjectId }, { state: 'sent' })
    const { open, ineligible } = await recheck(database.db, waveId, 'email', 0, spec)
    expect([...open, ...ineligible].map((member) => member.subjectId)).not.toContain(subjectId)
  })
})

async function expectFallen(subjectId: string, reason: string): Promise<void> {
  const { open, ineligible } = await recheck(database.db, waveId, 'email', 0, spec)
  expect(ineligible).toEqual([{ subjectId, reason }])
  expect(open.map((member) => member.subjectId)).not.toContain(subjectId)
}
