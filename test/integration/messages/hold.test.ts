import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { startWave } from '../../../src/activities/delivery/start-wave.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { cancelMessage } from '../../../src/services/messages/transitions.ts'
import { forSends } from '../../fixtures/delivery.ts'
import { runNextStep } from '../../fixtures/delivery-steps.ts'
import { automaticParts, createSubmitted, makeTemplate } from '../../fixtures/message-fixture.ts'

const { database, shared: fixture } = forSends()
beforeAll(async () => {
  await sql`update category set hold_seconds = 600`.execute(database.db)
})

const detail = (id: string) => getMessage(fixture.services, fixture.approver, id)

async function approved(parts = {}): Promise<string> {
  const id = await createSubmitted(fixture, parts)
  await approveMessage(fixture.services, fixture.approver, id)
  return id
}

describe('a category that holds what a person has approved', () => {
  it('starts no message before, says when it will, and lets it be cancelled', async () => {
    const id = await approved()
    const { startsAt, approvals, scheduleAt } = await detail(id)
    // The approval is written after the moment from which the hold counts.
    expect(Date.parse(startsAt!)).toBeLessThanOrEqual(Date.parse(approvals[0]!.at) + 600_000)
    expect(Date.parse(startsAt!)).toBeGreaterThan(Date.parse(approvals[0]!.at))
    expect(scheduleAt).toBeNull()
    expect(await runNextStep(fixture, id)).toMatchObject({
      do: 'wait',
      for: 'its send time',
      until: Date.parse(startsAt!),
    })
    expect(await startWave(fixture.delivery, id)).toBeNull()
    expect(await cancelMessage(fixture.services, fixture.approver, id)).toEqual({ state: 'cancelled' })
  })

  it('sends it afterwards, and not before its own time', async () => {
    const id = await approved({ scheduleAt: '2037-01-01T00:00:00Z' })
    expect(await detail(id)).toMatchObject({ startsAt: '2037-01-01T00:00:00.000Z' })
    await sql`update message set schedule_at = now() where id = ${id}`.execute(database.db)
    expect(await startWave(fixture.delivery, id)).toBeNull()
    await sql`update message set hold_until = now() where id = ${id}`.execute(database.db)
    expect(await startWave(fixture.delivery, id)).not.toBeNull()
  })

  it('does not hold what the automatic check approved', async () => {
    const id = await createSubmitted(fixture, automaticParts(await makeTemplate(fixture, { approved: true })))
    expect(await approveMessage(fixture.services, fixture.producer, id)).toEqual({ approved: true })
    expect(await detail(id)).toMatchObject({ startsAt: null })
  })

  it('does not hold a message until it has expired', async () => {
    const id = await approved({ expiresAt: new Date(Date.now() + 300_000).toISOString() })
    expect(await detail(id)).toMatchObject({ startsAt: null })
  })

  it('does not hold a message past its reminder, which is missed then', async () => {
    const id = await approved({ remindAt: new Date(Date.now() + 300_000).toISOString() })
    expect((await detail(id)).reminder).toMatchObject({ state: 'missed' })
  })
})
