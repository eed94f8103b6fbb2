import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PersonPrincipal } from '../../../src/domain/principal.ts'
import { getUnit } from '../../../src/services/identity/unit.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
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
    expect(fixture.wakes).not.toContainEqual([id, 'approved'])
    const { version } = await read(id)
    expect(await approve(id, fixture.approver, version)).toEqual({ approved: true })
    expect((await read(id)).review).toEqual({})
  })

  it('requires an approved template', async () => {
    expect((await check({ categoryId: 'auto' })).outcome).toMatchObject({ reason: 'template_required' })
    const drafted = await makeTemplate(fixture)
    expect((await check(automaticParts(drafted))).outcome).toMatchObject({ reason: 'template_not_approved' })
  })

  it('requires an audience within the limit', async () => {
    await fresh.db.updateTable('category').set({ auto_max_recipients: 9 }).where('id', '=', 'auto').execute()
    expect((await check(automaticParts(template))).outcome).toMatchObject({ reason: 'audience_too_large' })
    await fresh.db
      .updateTable('category')
      .set({ auto_max_recipients: 100 })
      .where('id', '=', 'auto')
      .execute()
  })

  it('checks the ledger, not only the snapshot, and leaves nothing reserved', async () => {
    const id = await createSubmitted(fixture, automaticParts(template))
    const before = await reserved()
    const restore = await setQuota(fixture, before + 9)
    expect(await approve(id, fixture.producer)).toEqual({ approved: false, reason: 'quota' })
    expect(await reserved()).toBe(before)
    await restore()
    expect(await approve(id, fixture.producer)).toEqual({ approved: true })
  })

  it('does not bypass the table of moves', async () => {
    const id = await createDraft(fixture)
    expect(await codeOf(approve(id, fixture.producer))).toBe('invalid_transition')
  })
})
