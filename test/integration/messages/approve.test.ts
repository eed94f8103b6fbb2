import { describe, expect, it } from 'vitest'
import { actorOf } from '../../../src/domain/rights/principal.ts'
import { editMessage } from '../../../src/services/messages/edit.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import {
  approve,
  codeOf,
  createDraft,
  createSubmitted,
  forMessages,
  read,
  reserved,
  setQuota,
} from '../../fixtures/message-fixture.ts'
import { selectRows } from '../../fixtures/rows.ts'

const { fresh, fixture } = forMessages()

describe('approval by a person', () => {
  it('makes a waiting wave, reserves the quota and wakes the run', async () => {
    const before = await reserved(fixture)
    const id = await createSubmitted(fixture)
    expect(await approve(fixture, id)).toEqual({ approved: true })
    expect(await reserved(fixture)).toBe(before + 10)
    const waves = await selectRows(fresh.db, 'wave', { message_id: id }, ['number', 'state', 'expected'])
    expect(waves).toEqual([{ number: 0, state: 'waiting', expected: null }])
    const by = actorOf(fixture.approver)
    expect(fixture.told).toContainEqual({ id, name: 'approved', by, version: 3 })
  })

  it('reserves for the reminder as well', async () => {
    const before = await reserved(fixture)
    const id = await createSubmitted(fixture, { remindAt: new Date(Date.now() + 60_000).toISOString() })
    await approve(fixture, id)
    expect(await reserved(fixture)).toBe(before + 20)
    expect((await read(fixture, id)).reminder?.state).toBe('waiting')
  })

  it('is for approvers of its unit; others cannot even see it', async () => {
    const id = await createSubmitted(fixture)
    expect(await codeOf(approve(fixture, id, fixture.editor))).toBe('forbidden')
    expect(await codeOf(approve(fixture, id, fixture.otherApprover))).toBe('not_found')
  })

  it('is forbidden to its creator', async () => {
    const id = await createSubmitted(fixture, {}, fixture.both)
    expect(await codeOf(approve(fixture, id, fixture.both))).toBe('self_approval')
    expect(await approve(fixture, id)).toEqual({ approved: true })
  })

  it('is forbidden to its editors', async () => {
    const id = await createDraft(fixture, {}, fixture.editor)
    await editMessage(fixture.services, fixture.approver, id, { categoryId: 'auto' })
    await submitMessage(fixture.services, fixture.editor, id)
    expect(await codeOf(approve(fixture, id))).toBe('self_approval')
  })

  it('is forbidden to the person who submitted it', async () => {
    const id = await createDraft(fixture, {}, fixture.editor)
    await submitMessage(fixture.services, fixture.approver, id)
    expect(await codeOf(approve(fixture, id))).toBe('self_approval')
    expect(await approve(fixture, id, fixture.both)).toEqual({ approved: true })
  })

  it('is rejected for a version that has changed since it was shown', async () => {
    const id = await createSubmitted(fixture)
    const { version } = await read(fixture, id)
    const error = await approve(fixture, id, fixture.approver, version - 1).catch((e) => e)
    expect(error).toMatchObject({
      code: 'invalid_transition',
      details: { state: 'submitted', by: 'key:key1', at: expect.any(String) },
    })
    expect(await approve(fixture, id, fixture.approver, version)).toEqual({ approved: true })
  })

  it('happens once', async () => {
    const id = await createSubmitted(fixture)
    const answers = await Promise.all([
      codeOf(approve(fixture, id)),
      codeOf(approve(fixture, id, fixture.both)),
    ])
    expect(answers.sort()).toEqual(['invalid_transition', 'ok'])
  })

  it('is rejected if unit and pool together are short, and leaves no trace', async () => {
    const id = await createSubmitted(fixture)
    const before = await reserved(fixture)
    const restore = await setQuota(fixture, before + 9)
    const error = await approve(fixture, id).catch((e) => e)
    expect(error).toMatchObject({ code: 'quota_exceeded', details: { channel: 'chat', short: 1 } })
    expect(await reserved(fixture)).toBe(before)
    const allowed = async () => (await getMessage(fixture.services, fixture.approver, id)).allowed.approve
    expect(await allowed()).toMatchObject({ code: 'quota_exceeded' })
    await restore()
    expect(await allowed()).toEqual({ allowed: true })
    expect(await approve(fixture, id)).toEqual({ approved: true })
  })

  it('is predicted to fail if only the reminder exceeds the quota', async () => {
    const restore = await setQuota(fixture, (await reserved(fixture)) + 19)
    const id = await createSubmitted(fixture, { remindAt: new Date(Date.now() + 60_000).toISOString() })
    const { snapshot, allowed } = await getMessage(fixture.services, fixture.approver, id)
    expect(snapshot?.quota.chat).toMatchObject({ estimatedPushes: 10, unitRemaining: 19, wouldExceed: true })
    expect(allowed.approve).toMatchObject({ code: 'quota_exceeded' })
    expect(await codeOf(approve(fixture, id))).toBe('quota_exceeded')
    await setQuota(fixture, (await reserved(fixture)) + 20)
    expect((await getMessage(fixture.services, fixture.approver, id)).allowed.approve).toEqual({
      allowed: true,
    })
    expect(await approve(fixture, id)).toEqual({ approved: true })
    await restore()
  })

  it('gives out exactly what there is, however many ask at once', async () => {
    // One after the other: a unit's submits count people two at a time, and wait for a limited time.
    const ids: string[] = []
    for (let n = 0; n < 20; n++) ids.push(await createSubmitted(fixture))
    const before = await reserved(fixture)
    const restore = await setQuota(fixture, before + 75)
    const codes = await Promise.all(ids.map((id) => codeOf(approve(fixture, id))))
    expect(codes.filter((code) => code === 'ok')).toHaveLength(7)
    expect(codes.filter((code) => code === 'quota_exceeded')).toHaveLength(13)
    expect(await reserved(fixture)).toBe(before + 70)
    await restore()
  })
})
