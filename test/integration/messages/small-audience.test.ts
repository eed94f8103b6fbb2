import { beforeAll, describe, expect, it } from 'vitest'
import { setAddresses } from '../../../src/db/queries/subject/consent.ts'
import type { Audience, QueryAudience } from '../../../src/domain/audience/audience.ts'
import { changeMembers } from '../../../src/services/groups/change-members.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { groupOf, queryGroup } from '../../fixtures/groups.ts'
import {
  automaticParts,
  codeOf,
  createDraft,
  createSubmitted,
  forMessages,
  type MessageFixture,
  makeTemplate,
  read,
} from '../../fixtures/message-fixture.ts'
import { selectRows, updateRows } from '../../fixtures/rows.ts'

let template: string
let targeting: MessageFixture['producer']
const { fresh, fixture } = forMessages()
beforeAll(async () => {
  template = await makeTemplate(fixture, { approved: true })
  targeting = { ...fixture.producer, keyId: 'targeting', individualTargeting: true }
})

const students = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `student-${from + n}`)
const inGroups = (...groups: string[]): QueryAudience => ({ kind: 'query', groups })
const trailOf = async (id: string) =>
  selectRows(fresh.db, 'audit', { object_id: id, action: 'individual_targeting' }, ['actor', 'details'])
const noticesOf = async (id: string) =>
  (await fresh.db.selectFrom('notice').select('reason').where('message_id', '=', id).execute()).map(
    ({ reason }) => reason,
  )

describe('a message to fewer than five people, by lists of the unit’s own', () => {
  it('is refused to a key without individual targeting, and changes nothing', async () => {
    const id = await createDraft(fixture, { audience: inGroups(await groupOf(fixture, students(1, 4))) })
    expect(await codeOf(submitMessage(fixture.services, fixture.producer, id))).toBe(
      'individual_targeting_disabled',
    )
    expect(await read(fixture, id, fixture.approver)).toMatchObject({
      state: 'draft',
      kind: 'broadcast',
      snapshot: null,
    })
    expect(await trailOf(id)).toEqual([])
  })

  it('is personal, audited and left to a person, if the key may target individuals', async () => {
    const audience = inGroups(await groupOf(fixture, students(1, 4)))
    const id = await createSubmitted(fixture, { ...automaticParts(template), audience }, targeting)
    expect(await read(fixture, id, fixture.approver)).toMatchObject({
      state: 'submitted',
      kind: 'personal',
      review: { reason: 'audience_small' },
    })
    expect(await trailOf(id)).toEqual([{ actor: 'key:targeting', details: { count: 4 } }])
    expect((await getMessage(fixture.services, fixture.editor, id)).content).toBeNull()

    const checked = await approveMessage(fixture.services, targeting, id)
    expect(checked).toEqual({ approved: false, reason: 'audience_small' })
    expect(new Set(await noticesOf(id))).toEqual(new Set(['small']))
    expect(await approveMessage(fixture.services, fixture.approver, id)).toEqual({ approved: true })
    expect((await read(fixture, id, fixture.approver)).review).toEqual({})
  })

  it('is the same for people, who may target individuals in this way', async () => {
    const audience = inGroups(await groupOf(fixture, students(1, 1)))
    const id = await createSubmitted(fixture, { ...automaticParts(template), audience }, fixture.editor)
    expect(await read(fixture, id, fixture.approver)).toMatchObject({
      kind: 'personal',
      review: { reason: 'audience_small' },
    })
    expect(await trailOf(id)).toEqual([{ actor: `person:${fixture.editor.personId}`, details: { count: 1 } }])
    expect(new Set(await noticesOf(id))).toEqual(new Set(['small']))
    expect(await approveMessage(fixture.services, fixture.producer, id)).toEqual({
      approved: false,
      reason: 'audience_small',
    })
  })

  it('says so in every category, also in one whose messages people approve anyway', async () => {
    const audience = inGroups(await groupOf(fixture, students(1, 1)))
    const id = await createSubmitted(fixture, { audience }, targeting)
    expect(await approveMessage(fixture.services, targeting, id)).toMatchObject({ reason: 'audience_small' })
  })

  it('is recognised however the people are narrowed down', async () => {
    const everyone = await groupOf(fixture, students(0, 9))
    const nine = await groupOf(fixture, students(1, 9))
    const nested = await groupOf(fixture, students(1, 1), { parentId: everyone })
    const dynamic = await queryGroup(fixture, { roles: ['student'], exclude: { groups: [nine] } })
    await updateRows(fresh.db, 'subject', { uid: 'student-2' }, { class_ids: ['c'] })
    const ways: Record<string, Audience> = {
      'a group inside another': inGroups(nested),
      'a query group': inGroups(dynamic),
      'a class within a group': { ...inGroups(everyone), classIds: ['c'] },
      'a group without another': { ...inGroups(everyone), exclude: { groups: [nine] } },
      'all without a group': { kind: 'all', exclude: { groups: [nine] } },
      'a role without a query group': {
        kind: 'query',
        roles: ['student'],
        exclude: {
          groups: [await queryGroup(fixture, { roles: ['student'], exclude: { classIds: ['c'] } })],
        },
      },
    }
    const codes = Object.entries(ways).map(async ([way, audience]) => {
      const id = await createDraft(fixture, { audience })
      return [way, await codeOf(submitMessage(fixture.services, fixture.producer, id))]
    })
    expect(Object.fromEntries(await Promise.all(codes))).toEqual(
      Object.fromEntries(Object.keys(ways).map((way) => [way, 'individual_targeting_disabled'])),
    )
  })
})

describe('a message that is not targeting', () => {
  it.each([
    ['five people of a group', async () => inGroups(await groupOf(fixture, students(0, 4)))],
    ['no one yet', async () => inGroups(await groupOf(fixture, []))],
    [
      'one person by an attribute that the unit cannot write',
      async (): Promise<Audience> => ({ kind: 'query', classIds: ['d'] }),
    ],
  ])('is submitted by any key: %s', async (_, audience) => {
    await updateRows(fresh.db, 'subject', { uid: 'student-9' }, { class_ids: ['d'] })
    const parts = { ...automaticParts(template), scheduleAt: '2037-01-01T00:00:00Z' }
    const id = await createSubmitted(fixture, { ...parts, audience: await audience() })
    expect(await read(fixture, id, fixture.approver)).toMatchObject({ kind: 'broadcast', review: {} })
    expect(await trailOf(id)).toEqual([])
    expect(await approveMessage(fixture.services, fixture.producer, id)).toEqual({ approved: true })
  })

  it('waits for a person, if it names five but reaches fewer', async () => {
    const gone = students(5, 8)
    const ids = await fresh.db.selectFrom('subject').select('id').where('uid', 'in', gone).execute()
    const addresses = await fresh.db
      .deleteFrom('address')
      .where(
        'subject_id',
        'in',
        ids.map(({ id }) => id),
      )
      .returning(['subject_id', 'channel', 'address'])
      .execute()
    const audience = inGroups(await groupOf(fixture, [...gone, 'student-1']))
    const id = await createSubmitted(fixture, { ...automaticParts(template), audience })
    expect(await read(fixture, id, fixture.approver)).toMatchObject({
      kind: 'broadcast',
      recipients: { total: 1 },
    })
    expect(await approveMessage(fixture.services, fixture.producer, id)).toEqual({
      approved: false,
      reason: 'audience_small',
    })
    await setAddresses(
      fresh.db,
      addresses.map(({ subject_id: subjectId, ...address }) => ({ subjectId, ...address, hash: null })),
    )
  })
})

it('a list that is filled between submit and approval is judged by what was submitted', async () => {
  const group = await groupOf(fixture, students(1, 1))
  const id = await createSubmitted(
    fixture,
    { ...automaticParts(template), audience: inGroups(group) },
    targeting,
  )
  await changeMembers(fixture.services, fixture.producer, group, { add: students(2, 9) })
  expect(await approveMessage(fixture.services, targeting, id)).toMatchObject({ reason: 'audience_small' })
})
