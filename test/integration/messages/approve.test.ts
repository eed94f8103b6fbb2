import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertMember } from '../../../src/db/queries/identity/person.ts'
import type { PersonPrincipal } from '../../../src/domain/principal.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { cancelMessage } from '../../../src/services/messages/cancel.ts'
import { editMessage } from '../../../src/services/messages/edit.ts'
import { getMessage } from '../../../src/services/messages/get.ts'
import { pauseMessage, resumeMessage } from '../../../src/services/messages/pause.ts'
import { rejectMessage } from '../../../src/services/messages/reject.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { getUnit } from '../../../src/services/unit.ts'
import {
  automaticParts,
  codeOf,
  createDraft,
  createSubmitted,
  type MessageFixture,
  makeMessageFixture,
  makeTemplate,
  setQuota,
} from '../../fixtures/message-fixture.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'

let fresh: FreshDatabase
let fixture: MessageFixture
let template: string
beforeAll(async () => {
  fresh = await freshDatabase()
  fixture = await makeMessageFixture(fresh.db)
  template = await makeTemplate(fixture, { approved: true })
})
afterAll(() => fresh.drop())

const approve = (
  id: string,
  by: PersonPrincipal | MessageFixture['producer'] = fixture.approver,
  version?: number,
) => approveMessage(fixture.services, by, id, { version })
const read = (id: string) => getMessage(fixture.services, fixture.producer, id)
const reserved = async () =>
  (await getUnit(fixture.services, fixture.producer, fixture.unit.id)).ledger.find(
    ({ channel }) => channel === 'chat',
  )!.reserved

describe('approval by a person', () => {
  it('makes a waiting wave, reserves the quota and pokes the run', async () => {
    const before = await reserved()
    const id = await createSubmitted(fixture)
    expect(await approve(id)).toEqual({ approved: true })
    expect(await reserved()).toBe(before + 10)
    const waves = await fresh.db
      .selectFrom('wave')
      .select(['number', 'state', 'expected'])
      .where('message_id', '=', id)
      .execute()
    expect(waves).toEqual([{ number: 0, state: 'waiting', expected: null }])
    expect(fixture.pokes).toContainEqual(['message', id, 'approval'])
  })

  it('reserves for the reminder as well', async () => {
    const before = await reserved()
    const id = await createSubmitted(fixture, { remindAt: new Date(Date.now() + 60_000).toISOString() })
    await approve(id)
    expect(await reserved()).toBe(before + 20)
    expect((await read(id)).reminder?.state).toBe('waiting')
  })

  it('is for approvers of its unit; others do not even see it', async () => {
    const id = await createSubmitted(fixture)
    expect(await codeOf(approve(id, fixture.editor))).toBe('forbidden')
    expect(await codeOf(approve(id, fixture.otherApprover))).toBe('not_found')
  })

  it('is refused to whoever created it', async () => {
    const id = await createSubmitted(fixture, {}, fixture.both)
    expect(await codeOf(approve(id, fixture.both))).toBe('self_approval')
    expect(await approve(id)).toEqual({ approved: true })
  })

  it('is refused to whoever edited it', async () => {
    const id = await createDraft(fixture, {}, fixture.editor)
    await editMessage(fixture.services, fixture.approver, id, { kind: 'broadcast' })
    await submitMessage(fixture.services, fixture.editor, id)
    expect(await codeOf(approve(id))).toBe('self_approval')
  })

  it('is refused to whoever submitted it', async () => {
    const id = await createDraft(fixture, {}, fixture.editor)
    await submitMessage(fixture.services, fixture.approver, id)
    expect(await codeOf(approve(id))).toBe('self_approval')
    expect(await approve(id, fixture.both)).toEqual({ approved: true })
  })

  it('is refused for a version that has changed since it was shown', async () => {
    const id = await createSubmitted(fixture)
    const { version } = await read(id)
    const error = await approve(id, fixture.approver, version - 1).catch((e) => e)
    expect(error).toMatchObject({
      code: 'invalid_transition',
      details: { state: 'submitted', by: 'key:key1', at: expect.any(String) },
    })
    expect(await approve(id, fixture.approver, version)).toEqual({ approved: true })
  })

  it('happens once', async () => {
    const id = await createSubmitted(fixture)
    const answers = await Promise.all([codeOf(approve(id)), codeOf(approve(id, fixture.both))])
    expect(answers.sort()).toEqual(['invalid_transition', 'ok'])
  })

  it('is refused where unit and pool together fall short, and leaves no trace', async () => {
    const id = await createSubmitted(fixture)
    const before = await reserved()
    const restore = await setQuota(fixture, before + 9)
    const error = await approve(id).catch((e) => e)
    expect(error).toMatchObject({ code: 'quota_exceeded', details: { channel: 'chat', short: 1 } })
    expect(await reserved()).toBe(before)
    const allowed = async () => (await getMessage(fixture.services, fixture.approver, id)).allowed.approve
    expect(await allowed()).toMatchObject({ code: 'quota_exceeded' })
    await restore()
    expect(await allowed()).toBe(true)
    expect(await approve(id)).toEqual({ approved: true })
  })

  it('is foretold to be refused where only the reminder is too much', async () => {
    const restore = await setQuota(fixture, (await reserved()) + 19)
    const id = await createSubmitted(fixture, { remindAt: new Date(Date.now() + 60_000).toISOString() })
    const { snapshot, allowed } = await getMessage(fixture.services, fixture.approver, id)
    expect(snapshot?.quota.chat).toMatchObject({ estimatedPushes: 10, unitRemaining: 19, wouldExceed: true })
    expect(allowed.approve).toMatchObject({ code: 'quota_exceeded' })
    expect(await codeOf(approve(id))).toBe('quota_exceeded')
    await setQuota(fixture, (await reserved()) + 20)
    expect((await getMessage(fixture.services, fixture.approver, id)).allowed.approve).toBe(true)
    expect(await approve(id)).toEqual({ approved: true })
    await restore()
  })

  it('gives out exactly what there is, however many ask at once', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => createSubmitted(fixture)))
    const before = await reserved()
    const restore = await setQuota(fixture, before + 75)
    const codes = await Promise.all(ids.map((id) => codeOf(approve(id))))
    expect(codes.filter((code) => code === 'ok')).toHaveLength(7)
    expect(codes.filter((code) => code === 'quota_exceeded')).toHaveLength(13)
    expect(await reserved()).toBe(before + 70)
    await restore()
  })
})

describe('the automatic check', () => {
  const check = async (parts: Parameters<typeof createSubmitted>[1]) => {
    const id = await createSubmitted(fixture, parts)
    return { id, outcome: await approve(id, fixture.producer) }
  }

  it('approves as system:auto', async () => {
    const { id, outcome } = await check(automaticParts(template))
    expect(outcome).toEqual({ approved: true })
    const detail = await read(id)
    expect(detail.approvals).toMatchObject([{ by: { id: 'system:auto' }, outcome: 'approved' }])
    expect(detail).toMatchObject({ state: 'approved', review: {} })
  })

  it('leaves the rest in the review queue, with the reason', async () => {
    const { id, outcome } = await check({})
    expect(outcome).toEqual({ approved: false, reason: 'category_not_auto' })
    expect(await read(id)).toMatchObject({
      state: 'submitted',
      review: { reason: 'category_not_auto' },
      approvals: [{ by: { id: 'system:auto' }, outcome: 'not_approved', reason: 'category_not_auto' }],
    })
    expect(fixture.pokes).not.toContainEqual(['message', id, 'approval'])
    const { version } = await read(id)
    expect(await approve(id, fixture.approver, version)).toEqual({ approved: true })
    expect((await read(id)).review).toEqual({})
  })

  it('wants an approved template', async () => {
    expect((await check({ categoryId: 'auto' })).outcome).toMatchObject({ reason: 'template_required' })
    const drafted = await makeTemplate(fixture)
    expect((await check(automaticParts(drafted))).outcome).toMatchObject({ reason: 'template_not_approved' })
  })

  it('wants an audience that is not too large', async () => {
    await fresh.db.updateTable('category').set({ auto_max_recipients: 9 }).where('id', '=', 'auto').execute()
    expect((await check(automaticParts(template))).outcome).toMatchObject({ reason: 'audience_too_large' })
    await fresh.db
      .updateTable('category')
      .set({ auto_max_recipients: 100 })
      .where('id', '=', 'auto')
      .execute()
  })

  it('asks the ledger, not only the snapshot, and leaves nothing reserved', async () => {
    const id = await createSubmitted(fixture, automaticParts(template))
    const before = await reserved()
    const restore = await setQuota(fixture, before + 9)
    expect(await approve(id, fixture.producer)).toEqual({ approved: false, reason: 'quota' })
    expect(await reserved()).toBe(before)
    await restore()
    expect(await approve(id, fixture.producer)).toEqual({ approved: true })
  })

  it('is no way around the table of moves', async () => {
    const id = await createDraft(fixture)
    expect(await codeOf(approve(id, fixture.producer))).toBe('invalid_transition')
  })
})

describe('after submission', () => {
  it('an approver rejects with a reason, and that is the end', async () => {
    const id = await createSubmitted(fixture)
    const reject = { reason: '時間不對' }
    expect(await codeOf(rejectMessage(fixture.services, fixture.producer, id, reject))).toBe('forbidden')
    expect(
      await codeOf(rejectMessage(fixture.services, fixture.approver, id, { ...reject, version: 1 })),
    ).toBe('invalid_transition')
    expect(await rejectMessage(fixture.services, fixture.approver, id, reject)).toEqual({ state: 'rejected' })
    expect(await read(id)).toMatchObject({
      closedAt: expect.any(String),
      approvals: [{ outcome: 'rejected', reason: '時間不對' }],
    })
    expect(fixture.pokes).toContainEqual(['message', id, 'rejection'])
    expect(await codeOf(approve(id))).toBe('invalid_transition')
  })

  it('cancelling gives the quota back in the same moment', async () => {
    const before = await reserved()
    const id = await createSubmitted(fixture, { remindAt: new Date(Date.now() + 60_000).toISOString() })
    await approve(id)
    expect(await cancelMessage(fixture.services, fixture.producer, id)).toEqual({ state: 'cancelled' })
    expect(await reserved()).toBe(before)
    expect(await read(id)).toMatchObject({ closedAt: expect.any(String), reminder: { state: 'cancelled' } })
    expect(fixture.pokes).toContainEqual(['message', id, 'cancellation'])
  })

  it('a send that has claimed nothing can be cancelled, one that has cannot', async () => {
    const sending = async (claimed: boolean) => {
      const id = await createSubmitted(fixture)
      await approve(id)
      await fresh.db.updateTable('message').set({ state: 'sending' }).where('id', '=', id).execute()
      await fresh.db
        .updateTable('wave')
        .set({ state: 'sending', claimed })
        .where('message_id', '=', id)
        .execute()
      return id
    }
    const early = await sending(false)
    expect(await cancelMessage(fixture.services, fixture.producer, early)).toEqual({ state: 'cancelled' })
    expect((await read(early)).closedAt).toBeNull()
    expect(await codeOf(cancelMessage(fixture.services, fixture.producer, await sending(true)))).toBe(
      'invalid_transition',
    )
  })

  it('pausing holds a send and its wave, resuming lets both go on', async () => {
    const id = await createSubmitted(fixture)
    await approve(id)
    const states = async () => {
      const wave = await fresh.db
        .selectFrom('wave')
        .select('state')
        .where('message_id', '=', id)
        .executeTakeFirst()
      return [(await read(id)).state, wave?.state]
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
    expect(fixture.pokes).toContainEqual(['message', id, 'changed'])
  })

  it('a person who leaves the unit’s approvers cannot approve any more', async () => {
    const id = await createSubmitted(fixture)
    const outsider = await fixture.person('Outsider', ['approver'], fixture.otherUnit.id)
    expect(await codeOf(approve(id, outsider))).toBe('not_found')
    await insertMember(fresh.db, fixture.unit.id, outsider.personId, ['approver'])
    const memberships = [...outsider.memberships, { unitId: fixture.unit.id, roles: ['approver' as const] }]
    expect(await approve(id, { ...outsider, memberships })).toEqual({ approved: true })
  })
})
