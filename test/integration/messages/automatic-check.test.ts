import { beforeAll, describe, expect, it } from 'vitest'
import {
  approve,
  automaticParts,
  codeOf,
  createDraft,
  createSubmitted,
  forMessages,
  makeTemplate,
  read,
  reserved,
  setQuota,
} from '../../fixtures/message-fixture.ts'
import { updateRows } from '../../fixtures/rows.ts'

let template: string
const { fresh, fixture } = forMessages()
beforeAll(async () => {
  template = await makeTemplate(fixture, { approved: true })
})

describe('the automatic check', () => {
  const check = async (parts: Parameters<typeof createSubmitted>[1]) => {
    const id = await createSubmitted(fixture, parts)
    return { id, outcome: await approve(fixture, id, fixture.producer) }
  }

  it('approves as system:auto', async () => {
    const { id, outcome } = await check(automaticParts(template))
    expect(outcome).toEqual({ approved: true })
    const detail = await read(fixture, id)
    expect(detail.approvals).toMatchObject([{ by: { id: 'system:auto' }, outcome: 'approved' }])
    expect(detail).toMatchObject({ state: 'approved', review: {} })
  })

  it('leaves the rest in the review queue, with the reason', async () => {
    const { id, outcome } = await check({})
    expect(outcome).toEqual({ approved: false, reason: 'category_not_auto' })
    expect(await read(fixture, id)).toMatchObject({
      state: 'submitted',
      review: { reason: 'category_not_auto' },
      approvals: [{ by: { id: 'system:auto' }, outcome: 'not_approved', reason: 'category_not_auto' }],
    })
    expect(fixture.told).not.toContainEqual(expect.objectContaining({ id, name: 'approved' }))
    const { version } = await read(fixture, id)
    expect(await approve(fixture, id, fixture.approver, version)).toEqual({ approved: true })
    expect((await read(fixture, id)).review).toEqual({})
  })

  it('requires an approved template', async () => {
    expect((await check({ categoryId: 'auto' })).outcome).toMatchObject({ reason: 'template_required' })
    const drafted = await makeTemplate(fixture)
    expect((await check(automaticParts(drafted))).outcome).toMatchObject({ reason: 'template_not_approved' })
  })

  it('requires an audience within the limit', async () => {
    await fresh.db.updateTable('category').set({ auto_max_recipients: 9 }).where('id', '=', 'auto').execute()
    expect((await check(automaticParts(template))).outcome).toMatchObject({ reason: 'audience_too_large' })
    await updateRows(fresh.db, 'category', { id: 'auto' }, { auto_max_recipients: 100 })
  })

  it('checks the ledger, not only the snapshot, and leaves nothing reserved', async () => {
    const id = await createSubmitted(fixture, automaticParts(template))
    const before = await reserved(fixture)
    const restore = await setQuota(fixture, before + 9)
    expect(await approve(fixture, id, fixture.producer)).toEqual({ approved: false, reason: 'quota' })
    expect(await reserved(fixture)).toBe(before)
    await restore()
    expect(await approve(fixture, id, fixture.producer)).toEqual({ approved: true })
  })

  it('does not bypass the table of moves', async () => {
    const id = await createDraft(fixture)
    expect(await codeOf(approve(fixture, id, fixture.producer))).toBe('invalid_transition')
  })
})
