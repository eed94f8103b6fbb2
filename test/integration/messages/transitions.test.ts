import { describe, expect, it } from 'vitest'
import { insertMember } from '../../../src/db/queries/identity/person.ts'
import {
  cancelMessage,
  pauseMessage,
  rejectMessage,
  resumeMessage,
} from '../../../src/services/messages/transitions.ts'
import {
  approve,
  codeOf,
  createSubmitted,
  forMessages,
  read,
  reserved,
} from '../../fixtures/message-fixture.ts'
import { updateRows } from '../../fixtures/rows.ts'

const { fresh, fixture } = forMessages()

describe('after submission', () => {
  it('an approver rejects with a reason, and that is the end', async () => {
    const id = await createSubmitted(fixture)
    const reject = { reason: '時間不對' }
    expect(await codeOf(rejectMessage(fixture.services, fixture.producer, id, reject))).toBe('forbidden')
    expect(
      await codeOf(rejectMessage(fixture.services, fixture.approver, id, { ...reject, version: 1 })),
    ).toBe('invalid_transition')
    expect(await rejectMessage(fixture.services, fixture.approver, id, reject)).toEqual({ state: 'rejected' })
    expect(await read(fixture, id)).toMatchObject({
      closedAt: expect.any(String),
      approvals: [{ outcome: 'rejected', reason: '時間不對' }],
    })
    expect(fixture.told).toContainEqual(expect.objectContaining({ id, name: 'rejected' }))
    expect(await codeOf(approve(fixture, id))).toBe('invalid_transition')
  })

  it('cancelling releases the quota in the same transaction', async () => {
    const before = await reserved(fixture)
    const id = await createSubmitted(fixture, { remindAt: new Date(Date.now() + 60_000).toISOString() })
    await approve(fixture, id)
    expect(await cancelMessage(fixture.services, fixture.producer, id)).toEqual({ state: 'cancelled' })
    expect(await reserved(fixture)).toBe(before)
    expect(await read(fixture, id)).toMatchObject({
      closedAt: expect.any(String),
      reminder: { state: 'cancelled' },
    })
    expect(fixture.told).toContainEqual(expect.objectContaining({ id, name: 'cancelled' }))
  })

  it('a send that has claimed nothing can be cancelled, one that has cannot', async () => {
    const sending = async (claimed: boolean) => {
      const id = await createSubmitted(fixture)
      await approve(fixture, id)
      await fresh.db.updateTable('message').set({ state: 'sending' }).where('id', '=', id).execute()
      await updateRows(fresh.db, 'wave', { message_id: id }, { state: 'sending', claimed })
      return id
    }
    const early = await sending(false)
    expect(await cancelMessage(fixture.services, fixture.producer, early)).toEqual({ state: 'cancelled' })
    expect((await read(fixture, early)).closedAt).toBeNull()
    expect(await codeOf(cancelMessage(fixture.services, fixture.producer, await sending(true)))).toBe(
      'invalid_transition',
    )
  })

  it('pausing holds a send and its wave, resuming lets both continue', async () => {
    const id = await createSubmitted(fixture)
    await approve(fixture, id)
    const states = async () => {
      const wave = await fresh.db
        .selectFrom('wave')
        .select('state')
        .where('message_id', '=', id)
        .executeTakeFirst()
      return [(await read(fixture, id)).state, wave?.state]
    }
    expect(await pauseMessage(fixture.services, fixture.editor, id)).toEqual({ state: 'paused' })
    expect(await states()).toEqual(['paused', 'waiting'])
    expect(await resumeMessage(fixture.services, fixture.editor, id)).toEqual({ state: 'approved' })

    await fresh.db.updateTable('message').set({ state: 'sending' }).where('id', '=', id).execute()
    await fresh.db.updateTable('wave').set({ state: 'sending' }).where('message_id', '=', id).execute()
    await pauseMessage(fixture.services, fixture.approver, id)
    expect(await states()).toEqual(['paused', 'paused'])
    await resumeMessage(fixture.services, fixture.approver, id)
    expect(await states()).toEqual(['sending', 'sending'])
    expect(fixture.told).toContainEqual(expect.objectContaining({ id, name: 'resumed' }))
  })

  it('a person who leaves the unit’s approvers cannot approve any more', async () => {
    const id = await createSubmitted(fixture)
    const outsider = await fixture.person('Outsider', ['approver'], fixture.otherUnit.id)
    expect(await codeOf(approve(fixture, id, outsider))).toBe('not_found')
    await insertMember(fresh.db, fixture.unit.id, outsider.personId, ['approver'])
    const memberships = [...outsider.memberships, { unitId: fixture.unit.id, roles: ['approver' as const] }]
    expect(await approve(fixture, id, { ...outsider, memberships })).toEqual({ approved: true })
  })
})
