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
  automatic,
  codeOf,
  draft,
  makeTemplate,
  makeWorld,
  setQuota,
  submitted,
  type World,
} from '../../fixtures/message-fixture.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'

let fresh: FreshDatabase
let world: World
let template: string
beforeAll(async () => {
  fresh = await freshDatabase()
  world = await makeWorld(fresh.db)
  template = await makeTemplate(world, { approved: true })
})
afterAll(() => fresh.drop())

const approve = (id: string, by: PersonPrincipal | World['producer'] = world.approver, version?: number) =>
  approveMessage(world.services, by, id, { version })
const read = (id: string) => getMessage(world.services, world.producer, id)
const reserved = async () =>
  (await getUnit(world.services, world.producer, world.unit.id)).ledger.find(
    ({ channel }) => channel === 'chat',
  )!.reserved

describe('approval by a person', () => {
  it('makes a waiting wave, reserves the quota and pokes the run', async () => {
    const before = await reserved()
    const id = await submitted(world)
    expect(await approve(id)).toEqual({ approved: true })
    expect(await reserved()).toBe(before + 10)
    const waves = await fresh.db
      .selectFrom('wave')
      .select(['number', 'state', 'expected'])
      .where('message_id', '=', id)
      .execute()
    expect(waves).toEqual([{ number: 0, state: 'waiting', expected: null }])
    expect(world.pokes).toContainEqual(['message', id, 'approval'])
  })

  it('reserves for the reminder as well', async () => {
    const before = await reserved()
    const id = await submitted(world, { remindAt: new Date(Date.now() + 60_000).toISOString() })
    await approve(id)
    expect(await reserved()).toBe(before + 20)
    expect((await read(id)).reminder?.state).toBe('waiting')
  })

  it('is for approvers of its unit; others do not even see it', async () => {
    const id = await submitted(world)
    expect(await codeOf(approve(id, world.editor))).toBe('forbidden')
    expect(await codeOf(approve(id, world.otherApprover))).toBe('not_found')
  })

  it('is refused to whoever created it', async () => {
    const id = await submitted(world, {}, world.both)
    expect(await codeOf(approve(id, world.both))).toBe('self_approval')
    expect(await approve(id)).toEqual({ approved: true })
  })

  it('is refused to whoever edited it', async () => {
    const id = await draft(world, {}, world.editor)
    await editMessage(world.services, world.approver, id, { kind: 'broadcast' })
    await submitMessage(world.services, world.editor, id)
    expect(await codeOf(approve(id))).toBe('self_approval')
  })

  it('is refused to whoever submitted it', async () => {
    const id = await draft(world, {}, world.editor)
    await submitMessage(world.services, world.approver, id)
    expect(await codeOf(approve(id))).toBe('self_approval')
    expect(await approve(id, world.both)).toEqual({ approved: true })
  })

  it('is refused for a version that has changed since it was shown', async () => {
    const id = await submitted(world)
    const { version } = await read(id)
    const error = await approve(id, world.approver, version - 1).catch((e) => e)
    expect(error).toMatchObject({
      code: 'invalid_transition',
      details: { state: 'submitted', by: 'key:key1', at: expect.any(String) },
    })
    expect(await approve(id, world.approver, version)).toEqual({ approved: true })
  })

  it('happens once', async () => {
    const id = await submitted(world)
    const answers = await Promise.all([codeOf(approve(id)), codeOf(approve(id, world.both))])
    expect(answers.sort()).toEqual(['invalid_transition', 'ok'])
  })

  it('is refused where unit and pool together fall short, and leaves no trace', async () => {
    const id = await submitted(world)
    const before = await reserved()
    const restore = await setQuota(world, before + 9)
    const error = await approve(id).catch((e) => e)
    expect(error).toMatchObject({ code: 'quota_exceeded', details: { channel: 'chat', short: 1 } })
    expect(await reserved()).toBe(before)
    const allowed = async () => (await getMessage(world.services, world.approver, id)).allowed.approve
    expect(await allowed()).toMatchObject({ code: 'quota_exceeded' })
    await restore()
    expect(await allowed()).toBe(true)
    expect(await approve(id)).toEqual({ approved: true })
  })

  it('is foretold to be refused where only the reminder is too much', async () => {
    const restore = await setQuota(world, (await reserved()) + 19)
    const id = await submitted(world, { remindAt: new Date(Date.now() + 60_000).toISOString() })
    const { snapshot, allowed } = await getMessage(world.services, world.approver, id)
    expect(snapshot?.quota.chat).toMatchObject({ estimatedPushes: 10, unitRemaining: 19, wouldExceed: true })
    expect(allowed.approve).toMatchObject({ code: 'quota_exceeded' })
    expect(await codeOf(approve(id))).toBe('quota_exceeded')
    await setQuota(world, (await reserved()) + 20)
    expect((await getMessage(world.services, world.approver, id)).allowed.approve).toBe(true)
    expect(await approve(id)).toEqual({ approved: true })
    await restore()
  })

  it('gives out exactly what there is, however many ask at once', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => submitted(world)))
    const before = await reserved()
    const restore = await setQuota(world, before + 75)
    const codes = await Promise.all(ids.map((id) => codeOf(approve(id))))
    expect(codes.filter((code) => code === 'ok')).toHaveLength(7)
    expect(codes.filter((code) => code === 'quota_exceeded')).toHaveLength(13)
    expect(await reserved()).toBe(before + 70)
    await restore()
  })
})

describe('the automatic check', () => {
  const check = async (parts: Parameters<typeof submitted>[1]) => {
    const id = await submitted(world, parts)
    return { id, outcome: await approve(id, world.producer) }
  }

  it('approves as system:auto', async () => {
    const { id, outcome } = await check(automatic(template))
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
    expect(world.pokes).not.toContainEqual(['message', id, 'approval'])
    const { version } = await read(id)
    expect(await approve(id, world.approver, version)).toEqual({ approved: true })
    expect((await read(id)).review).toEqual({})
  })

  it('wants an approved template', async () => {
    expect((await check({ categoryId: 'auto' })).outcome).toMatchObject({ reason: 'template_required' })
    const drafted = await makeTemplate(world)
    expect((await check(automatic(drafted))).outcome).toMatchObject({ reason: 'template_not_approved' })
  })

  it('wants an audience that is not too large', async () => {
    await fresh.db.updateTable('category').set({ auto_max_recipients: 9 }).where('id', '=', 'auto').execute()
    expect((await check(automatic(template))).outcome).toMatchObject({ reason: 'audience_too_large' })
    await fresh.db
      .updateTable('category')
      .set({ auto_max_recipients: 100 })
      .where('id', '=', 'auto')
      .execute()
  })

  it('asks the ledger, not only the snapshot, and leaves nothing reserved', async () => {
    const id = await submitted(world, automatic(template))
    const before = await reserved()
    const restore = await setQuota(world, before + 9)
    expect(await approve(id, world.producer)).toEqual({ approved: false, reason: 'quota' })
    expect(await reserved()).toBe(before)
    await restore()
    expect(await approve(id, world.producer)).toEqual({ approved: true })
  })

  it('is no way around the table of moves', async () => {
    const id = await draft(world)
    expect(await codeOf(approve(id, world.producer))).toBe('invalid_transition')
  })
})

describe('after submission', () => {
  it('an approver rejects with a reason, and that is the end', async () => {
    const id = await submitted(world)
    const reject = { reason: '時間不對' }
    expect(await codeOf(rejectMessage(world.services, world.producer, id, reject))).toBe('forbidden')
    expect(await codeOf(rejectMessage(world.services, world.approver, id, { ...reject, version: 1 }))).toBe(
      'invalid_transition',
    )
    expect(await rejectMessage(world.services, world.approver, id, reject)).toEqual({ state: 'rejected' })
    expect(await read(id)).toMatchObject({
      closedAt: expect.any(String),
      approvals: [{ outcome: 'rejected', reason: '時間不對' }],
    })
    expect(world.pokes).toContainEqual(['message', id, 'rejection'])
    expect(await codeOf(approve(id))).toBe('invalid_transition')
  })

  it('cancelling gives the quota back in the same moment', async () => {
    const before = await reserved()
    const id = await submitted(world, { remindAt: new Date(Date.now() + 60_000).toISOString() })
    await approve(id)
    expect(await cancelMessage(world.services, world.producer, id)).toEqual({ state: 'cancelled' })
    expect(await reserved()).toBe(before)
    expect(await read(id)).toMatchObject({ closedAt: expect.any(String), reminder: { state: 'cancelled' } })
    expect(world.pokes).toContainEqual(['message', id, 'cancellation'])
  })

  it('a send that has claimed nothing can be cancelled, one that has cannot', async () => {
    const sending = async (claimed: boolean) => {
      const id = await submitted(world)
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
    expect(await cancelMessage(world.services, world.producer, early)).toEqual({ state: 'cancelled' })
    expect((await read(early)).closedAt).toBeNull()
    expect(await codeOf(cancelMessage(world.services, world.producer, await sending(true)))).toBe(
      'invalid_transition',
    )
  })

  it('pausing holds a send and its wave, resuming lets both go on', async () => {
    const id = await submitted(world)
    await approve(id)
    const states = async () => {
      const wave = await fresh.db
        .selectFrom('wave')
        .select('state')
        .where('message_id', '=', id)
        .executeTakeFirst()
      return [(await read(id)).state, wave?.state]
    }
    expect(await pauseMessage(world.services, world.editor, id)).toEqual({ state: 'paused' })
    expect(await states()).toEqual(['paused', 'waiting'])
    expect(await resumeMessage(world.services, world.editor, id)).toEqual({ state: 'approved' })

    await fresh.db.updateTable('message').set({ state: 'sending' }).where('id', '=', id).execute()
    await fresh.db.updateTable('wave').set({ state: 'sending' }).where('message_id', '=', id).execute()
    await pauseMessage(world.services, world.approver, id)
    expect(await states()).toEqual(['paused', 'paused'])
    await resumeMessage(world.services, world.approver, id)
    expect(await states()).toEqual(['sending', 'sending'])
    expect(world.pokes).toContainEqual(['message', id, 'changed'])
  })

  it('a person who leaves the unit’s approvers cannot approve any more', async () => {
    const id = await submitted(world)
    const outsider = await world.person('Outsider', ['approver'], world.otherUnit.id)
    expect(await codeOf(approve(id, outsider))).toBe('not_found')
    await insertMember(fresh.db, world.unit.id, outsider.personId, ['approver'])
    const memberships = [...outsider.memberships, { unitId: world.unit.id, roles: ['approver' as const] }]
    expect(await approve(id, { ...outsider, memberships })).toEqual({ approved: true })
  })
})
