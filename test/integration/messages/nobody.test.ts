import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Audience } from '../../../src/domain/audience/audience.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { dryRun } from '../../../src/services/messages/prepare.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { forSends } from '../../fixtures/delivery.ts'
import { runUntilWait } from '../../fixtures/delivery-steps.ts'
import { codeOf, createDraft, producerPrincipal } from '../../fixtures/message-fixture.ts'
import { addRecipientsTo } from '../../fixtures/recipients.ts'

const { database, shared: fixture } = forSends()

const day = 86_400_000
const inHours = (hours: number) => new Date(Date.now() + (hours * day) / 24).toISOString()
const nobody = [{ path: 'audience', code: 'nobody', message: expect.any(Object) }]
const someKey = () => producerPrincipal(fixture.unit.id, { individualTargeting: true })
const empty = (): Audience => ({ kind: 'query', tags: [`tag:${randomUUID()}`] })

async function draft(audience: Audience, scheduleAt?: string): Promise<string> {
  return createDraft(fixture, { audience, categoryId: 'chats', ...(scheduleAt && { scheduleAt }) }, someKey())
}

describe('a message that nobody would receive', () => {
  it.each([
    ['no one matches', empty],
    ['those named do not exist', (): Audience => ({ kind: 'individual', uids: ['who'] })],
  ])('and that is due within a day cannot be submitted: %s', async (_why, audience) => {
    for (const scheduleAt of [undefined, inHours(23)]) {
      const id = await draft(audience(), scheduleAt)
      const { violations, warnings, recipients } = await dryRun(fixture.services, someKey(), id)
      expect({ violations, warnings, total: recipients.total }).toEqual({
        violations: nobody,
        warnings: [],
        total: 0,
      })
      expect(await codeOf(submitMessage(fixture.services, someKey(), id))).toBe('content_violation')
      expect((await getMessage(fixture.services, someKey(), id)).state).toBe('draft')
    }
  })

  it('says how many of those named do not exist, when it is submitted', async () => {
    const id = await draft({ kind: 'individual', uids: ['who', 'whom'] })
    await expect(submitMessage(fixture.services, someKey(), id)).rejects.toMatchObject({
      message: expect.stringContaining('2 of its uids belong to no subject'),
      details: { violations: nobody, unknownUids: 2 },
    })
  })

  it('later is a warning, which the approver sees too', async () => {
    const id = await draft(empty(), inHours(25))
    const { violations, warnings } = await dryRun(fixture.services, someKey(), id)
    expect({ violations, warnings }).toEqual({ violations: [], warnings: nobody })
    await submitMessage(fixture.services, someKey(), id)
    const { snapshot } = await getMessage(fixture.services, fixture.approver, id)
    expect(snapshot).toMatchObject({ violations: [], warnings: nobody })
  })

  it.each([
    ['a query', empty],
    ['individuals', (): Audience => ({ kind: 'individual', uids: ['who'] })],
  ])('returns to review if that is still so when it is due: %s', async (_what, audience) => {
    const id = await draft(audience(), inHours(25))
    await submitMessage(fixture.services, someKey(), id)
    await approveMessage(fixture.services, fixture.approver, id)
    await sql`update message set schedule_at = now() where id = ${id}`.execute(database.db)
    expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'wait', for: 'an approval' })
    expect(await getMessage(fixture.services, fixture.approver, id)).toMatchObject({
      state: 'submitted',
      drift: { reason: 'no_recipients', recipients: { approved: 0, current: 0 } },
      snapshot: { violations: nobody, warnings: [] },
    })
    // Approved as it is, it comes back again; nothing is sent to nobody.
    await approveMessage(fixture.services, fixture.approver, id)
    expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'wait', for: 'an approval' })
  })

  it('is shown again with its people if there are some when it is due, and then sent', async () => {
    const tag = `tag:${randomUUID()}`
    const id = await draft({ kind: 'query', tags: [tag] }, inHours(25))
    await submitMessage(fixture.services, someKey(), id)
    await approveMessage(fixture.services, fixture.approver, id)
    await addRecipientsTo(database.db, tag, 3)
    await sql`update message set schedule_at = now() where id = ${id}`.execute(database.db)
    expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'wait', for: 'an approval' })
    expect(await getMessage(fixture.services, fixture.approver, id)).toMatchObject({
      drift: { reason: 'audience', recipients: { approved: 0, current: 3 } },
      snapshot: { violations: [], warnings: [] },
    })
    await approveMessage(fixture.services, fixture.approver, id)
    await runUntilWait(fixture, id)
    expect(await getMessage(fixture.services, fixture.approver, id)).toMatchObject({ state: 'sent' })
  })
})
