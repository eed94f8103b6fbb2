import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendSmallWave } from '../../../src/activities/delivery/send-small-wave.ts'
import { startWave } from '../../../src/activities/delivery/start-wave.ts'
import type { CreateMessage } from '../../../src/contract/messages/create.ts'
import { insertGroupChange, lockDefinition } from '../../../src/db/queries/audience/definitions.ts'
import { insertMembers } from '../../../src/db/queries/catalogue/group-members.ts'
import { insertKey } from '../../../src/db/queries/identity/key.ts'
import type { PersonPrincipal, Principal, ProducerPrincipal } from '../../../src/domain/rights/principal.ts'
import { changeMembers } from '../../../src/services/groups/change-members.ts'
import { editGroup } from '../../../src/services/groups/edit.ts'
import { createGroup } from '../../../src/services/groups/groups.ts'
import { addMembers } from '../../../src/services/groups/members.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { dryRun } from '../../../src/services/messages/prepare.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { pauseMessage, resumeMessage } from '../../../src/services/messages/transitions.ts'
import { bindAddress, byKey, unbindAddress } from '../../../src/services/subjects/addresses.ts'
import { updateSubject } from '../../../src/services/subjects/update.ts'
import { forSends, type ScriptedDelivery, withScriptedProvider } from '../../fixtures/delivery.ts'
import { activityAttempt, runUntilWait } from '../../fixtures/delivery-steps.ts'
import {
  automaticParts,
  codeOf,
  createDraft,
  makeTemplate,
  producerPrincipal,
} from '../../fixtures/message-fixture.ts'
import { addRecipients, addRecipientsTo } from '../../fixtures/recipients.ts'
import { selectRow, updateRows } from '../../fixtures/rows.ts'
import { holdTransaction, waitForBlocked } from '../../harness/lock-waits.ts'

/** What an author can do between approval and start: each is shown to an approver again, or cannot happen. */

let fixture: ScriptedDelivery
/** Editors of the unit: the author of all messages, and a colleague who may also approve. */
let author: PersonPrincipal
let colleague: PersonPrincipal
/** Keys of the unit: one keeps lists, the other does not. Both exist as rows. */
let keeper: ProducerPrincipal
let other: ProducerPrincipal
/** The key of the system that knows people. */
let directory: ProducerPrincipal
const { database, shared } = forSends()
beforeAll(async () => {
  author = shared.editor
  colleague = shared.both
  keeper = await key('Student records')
  other = await key('Library system')
  directory = { ...producerPrincipal(shared.unit.id), keyId: 'directory', unitKind: 'administrative' }
})
beforeEach(() => {
  fixture = withScriptedProvider(shared)
})

async function key(name: string): Promise<ProducerPrincipal> {
  const principal = { ...producerPrincipal(shared.unit.id), keyId: `k${randomUUID().slice(0, 8)}` }
  const { keyId: id, unitId } = principal
  const none = {
    categories: null,
    dimensions: null,
    individualTargeting: false,
    groupWriting: true,
    handoffReply: false,
  }
  await insertKey(database.db, { id, unitId, name, secretHash: Buffer.alloc(32), ...none })
  return principal
}

/** New subjects with a chat address, as uids, and the tag they all have. */
async function people(count: number): Promise<{ tag: string; uids: string[] }> {
  const tag = await addRecipients(database.db, count)
  return { tag, uids: Array.from({ length: count }, (_, n) => `${tag}-${n + 1}`) }
}

type List = { members?: string[]; keptByKeyId?: string; parentId?: string; by?: Principal }

/** A static group of the unit. */
async function list({ members = [], by = author, ...parts }: List): Promise<string> {
  const body = { name: 'Scholarship holders', kind: 'static', legalBasis: 'consent', ...parts } as const
  const { id } = await createGroup(fixture.services, by, body)
  if (members.length > 0) await change(id, { add: members }, by)
  return id
}

async function query(query: object): Promise<string> {
  const body = { name: 'Members of choirs', kind: 'dynamic', query } as const
  return (await createGroup(fixture.services, author, body)).id
}

const change = (id: string, body: { add?: string[]; remove?: string[] }, by: Principal = author) =>
  changeMembers(fixture.services, by, id, body)
const setQuery = (id: string, query: object) => editGroup(fixture.services, author, id, { query })
const tags = (uid: string, tags: { add?: string[]; remove?: string[] }) =>
  updateSubject(fixture.services, directory, uid, { tags })
const bind = (uid: string, address: string) =>
  bindAddress(fixture.services, directory, { uid, channel: 'chat' }, { address }, async () => [])
const unbind = (uid: string) => unbindAddress(fixture.services.db, byKey(directory), { uid, channel: 'chat' })
const newAddress = () => `U${randomUUID().replaceAll('-', '')}`
const inGroups = (...groups: string[]) => ({ kind: 'query' as const, groups })

/** Writes, submits and has it approved by somebody else. */
async function approved(
  audience: CreateMessage['audience'],
  parts: Partial<CreateMessage> = {},
  by: Principal = author,
): Promise<string> {
  const id = await createDraft(fixture, { audience, ...parts }, by)
  await submitMessage(fixture.services, by, id)
  await approveMessage(fixture.services, fixture.approver, id)
  return id
}

const read = (id: string) => getMessage(fixture.services, fixture.approver, id)
const told = () => fixture.sentAddresses()

async function expectShownAgain(id: string): Promise<Awaited<ReturnType<typeof read>>> {
  expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'wait', for: 'an approval' })
  const message = await read(id)
  expect(message).toMatchObject({ state: 'submitted', review: { drift: true }, drift: expect.any(Object) })
  expect(await told()).toEqual([])
  const rows =
    await sql`select from delivery join wave on wave.id = wave_id where message_id = ${id}`.execute(
      database.db,
    )
  expect(rows.rows).toEqual([])
  return message
}

async function expectSentTo(id: string, count: number): Promise<void> {
  expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'end' })
  expect(await told()).toHaveLength(count)
}

describe('a message that was approved for one person', () => {
  it('is not sent to two others whom the author puts into the group instead', async () => {
    const { uids } = await people(3)
    const group = await list({ members: [uids[0]!] })
    const id = await approved(inGroups(group))
    await change(group, { remove: [uids[0]!], add: uids.slice(1) })
    const message = await expectShownAgain(id)
    const name = { id: `person:${author.personId}`, name: 'Editor' }
    expect(message.drift).toEqual({
      reason: 'audience',
      since: expect.any(String),
      recipients: { approved: 1, current: 2 },
      byChannel: { chat: { added: 2, removed: 1 } },
      exact: true,
      groups: [
        { id: group, name: 'Scholarship holders', change: 'members', by: name, at: expect.any(String) },
      ],
    })
    expect(message.snapshot?.recipients.total).toBe(2)
    await approveMessage(fixture.services, fixture.approver, id)
    await expectSentTo(id, 2)
    expect((await read(id)).drift).toBeNull()
  })

  /** Each way returns an audience of one person, and exchanges that person for another. */
  const ways: Record<string, () => Promise<[CreateMessage['audience'], () => Promise<unknown>]>> = {
    'the members of a group': async () => {
      const [one, two] = (await people(2)).uids as [string, string]
      const group = await list({ members: [one] })
      return [inGroups(group), () => change(group, { remove: [one], add: [two] })]
    },
    'an exclusion': async () => {
      const { tag, uids } = await people(2)
      const group = await list({ members: [uids[1]!] })
      const audience = { kind: 'query' as const, tags: [tag], exclude: { groups: [group] } }
      return [audience, () => change(group, { remove: [uids[1]!], add: [uids[0]!] })]
    },
    'the members of a nested group': async () => {
      const [one, two] = (await people(2)).uids as [string, string]
      const parentId = await list({ members: [one] })
      const group = await list({ members: [one], parentId })
      return [
        inGroups(group),
        async () => {
          await change(parentId, { add: [two] })
          await change(group, { remove: [one], add: [two] })
        },
      ]
    },
    'the members of a list in a dynamic group’s query': async () => {
      const [one, two] = (await people(2)).uids as [string, string]
      const inner = await list({ members: [one] })
      const outer = await query({ groups: [inner] })
      return [inGroups(outer), () => change(inner, { remove: [one], add: [two] })]
    },
    'the query of a dynamic group': async () => {
      const [one, two] = [await people(1), await people(1)]
      const group = await query({ tags: [one.tag] })
      return [inGroups(group), () => setQuery(group, { tags: [two.tag] })]
    },
    'the query of a dynamic group, through another key': async () => {
      const [one, two] = [await people(1), await people(1)]
      const group = await query({ tags: [one.tag] })
      return [
        inGroups(group),
        () => editGroup(fixture.services, other, group, { query: { tags: [two.tag] } }),
      ]
    },
    'tags that another system writes': async () => {
      const [one, two] = (await people(2)).uids as [string, string]
      const tag = `interest:${randomUUID()}`
      await tags(one, { add: [tag] })
      const swap = async () => {
        await tags(one, { remove: [tag] })
        await tags(two, { add: [tag] })
      }
      return [{ kind: 'query', tags: [tag] }, swap]
    },
    'classes that another system writes': async () => {
      const [one, two] = (await people(2)).uids as [string, string]
      const set = (uid: string, classIds: string[]) =>
        updateSubject(fixture.services, directory, uid, { profile: { classIds } })
      const course = randomUUID()
      await set(one, [course])
      const swap = async () => {
        await set(one, [])
        await set(two, [course])
      }
      return [{ kind: 'query', classIds: [course] }, swap]
    },
    'an address that is bound to another person': async () => {
      const { tag, uids } = await people(2)
      const address = newAddress()
      await bind(uids[0]!, address)
      await unbind(uids[1]!)
      const swap = async () => {
        await unbind(uids[0]!)
        await bind(uids[1]!, address)
      }
      return [{ kind: 'query', tags: [tag] }, swap]
    },
    'another address of the same person': async () => {
      const { tag, uids } = await people(1)
      return [{ kind: 'query', tags: [tag] }, () => bind(uids[0]!, newAddress())]
    },
    'a list that a key keeps': async () => {
      const [one, two] = (await people(2)).uids as [string, string]
      const group = await list({ members: [one], keptByKeyId: keeper.keyId })
      return [inGroups(group), () => change(group, { remove: [one], add: [two] }, keeper)]
    },
    'a list that a key keeps, by hand': async () => {
      const [one, two] = (await people(2)).uids as [string, string]
      const group = await list({ members: [one], keptByKeyId: keeper.keyId })
      return [inGroups(group), () => change(group, { remove: [one], add: [two] })]
    },
    'a list, as an approver of the unit': async () => {
      const [one, two] = (await people(2)).uids as [string, string]
      const group = await list({ members: [one] })
      return [inGroups(group), () => change(group, { remove: [one], add: [two] }, colleague)]
    },
  }

  it.each(Object.entries(ways))('is shown again if the author exchanges them by %s', async (_, way) => {
    const [audience, exchange] = await way()
    const id = await approved(audience)
    await exchange()
    await expectShownAgain(id)
  })

  it.each(Object.entries(ways))('is not shown again without an exchange by %s', async (_, way) => {
    const [audience] = await way()
    await expectSentTo(await approved(audience), 1)
  })

  it('is shown again as one of an event, if its binding names a group', async () => {
    const [one, two] = (await people(2)).uids as [string, string]
    const group = await list({ members: [one] })
    const id = await approved(inGroups(group))
    await database.db.updateTable('message').set({ origin: 'event' }).where('id', '=', id).execute()
    await change(group, { remove: [one], add: [two] })
    await expectShownAgain(id)
  })
})

describe('a message that was approved for 20 people', () => {
  /** A group with the first 20 of 25 people. */
  async function twenty(parts: List = {}) {
    const { uids } = await people(25)
    return { uids, group: await list({ members: uids.slice(0, 20), ...parts }) }
  }

  it.each([
    ['the key that keeps the list', () => keeper],
    ['an approver of the unit', () => colleague],
  ])('is sent if %s changed two, and shown again if three', async (_, by) => {
    const { uids, group } = await twenty({ keptByKeyId: keeper.keyId })
    const [two, three] = [await approved(inGroups(group)), await approved(inGroups(group))]
    await change(group, { remove: [uids[0]!], add: [uids[20]!] }, by())
    await expectSentTo(two, 20)
    fixture = withScriptedProvider(shared)
    await change(group, { add: [uids[21]!] }, by())
    expect((await expectShownAgain(three)).drift?.byChannel).toEqual({ chat: { added: 2, removed: 1 } })
  })

  it.each<[string, () => Principal]>([
    ['its author', () => author],
    ['another key', () => other],
  ])('is shown again if %s changed one on a list that a key keeps', async (_, by) => {
    const { uids, group } = await twenty({ keptByKeyId: keeper.keyId })
    const id = await approved(inGroups(group))
    await change(group, { add: [uids[20]!] }, by())
    await expectShownAgain(id)
  })

  it('is shown again if its author, who may approve others’ messages, changed one', async () => {
    const { uids, group } = await twenty()
    const id = await approved(inGroups(group), {}, colleague)
    await change(group, { add: [uids[20]!] }, colleague)
    await expectShownAgain(id)
  })

  it('is bound to the keeper that the approver saw', async () => {
    const { uids, group } = await twenty({ keptByKeyId: keeper.keyId })
    const id = await approved(inGroups(group))
    expect((await read(id)).audienceGroups).toEqual([
      {
        id: group,
        name: 'Scholarship holders',
        kind: 'static',
        keptBy: { id: `key:${keeper.keyId}`, name: 'Student records' },
      },
    ])
    await editGroup(fixture.services, author, group, { keptByKeyId: other.keyId })
    await change(group, { add: [uids[20]!] }, other)
    await expectShownAgain(id)
  })

  it('is sent if one came by their own tags, and shown again if one was bound', async () => {
    const { tag, uids } = await people(20)
    const more = await people(2)
    await unbind(uids[0]!)
    const audience = { kind: 'query' as const, tags: [tag] }
    const [sent, other] = [await approved(audience), await approved(audience)]
    await tags(more.uids[0]!, { add: [tag] })
    await expectSentTo(sent, 20)
    fixture = withScriptedProvider(shared)
    await tags(more.uids[0]!, { remove: [tag] })
    await bind(uids[0]!, newAddress())
    await expectShownAgain(other)
  })

  it('is sent if one left by their own stage', async () => {
    const { tag, uids } = await people(20)
    const id = await approved({ kind: 'query', tags: [tag], stages: ['visitor'] })
    await updateSubject(fixture.services, directory, uids[0]!, { stage: 'member' })
    await expectSentTo(id, 19)
  })

  it('is shown again if one was unbound, though others left by their own tags', async () => {
    const { tag, uids } = await people(20)
    const id = await approved({ kind: 'query', tags: [tag] })
    await tags(uids[0]!, { remove: [tag] })
    await unbind(uids[1]!)
    await expectShownAgain(id)
  })

  it('is sent if one joined by a button, which the person alone can do', async () => {
    const { uids, group } = await twenty()
    const id = await approved(inGroups(group))
    const { id: subjectId } = await selectRow(database.db, 'subject', { uid: uids[20]! }, ['id'])
    await database.db.transaction().execute(async (trx) => {
      await addMembers(trx, { groupId: group, unitIds: [shared.unit.id] }, { subjectIds: [subjectId] })
    })
    await expectSentTo(id, 21)
  })

  it('is sent after calls that changed nothing', async () => {
    const { uids, group } = await twenty()
    const outer = await query({ groups: [group] })
    const id = await approved(inGroups(group, outer))
    await change(group, { add: [uids[0]!], remove: [uids[20]!] })
    await editGroup(fixture.services, author, group, { name: 'Holders' })
    await setQuery(outer, { groups: [group] })
    await expectSentTo(id, 20)
  })
})

describe('a message that was approved for many people', () => {
  it('is sent if fewer than a tenth changed, and shown again if more did, with about how many', async () => {
    const { tag, uids } = await people(3_000)
    const audience = { kind: 'query' as const, tags: [tag] }
    const [sent, other] = [await approved(audience), await approved(audience)]
    await leave(uids.slice(0, 90))
    await join((await people(90)).uids, tag)
    await expectSentTo(sent, 3_000)
    fixture = withScriptedProvider(shared)
    await leave(uids.slice(90, 450))
    const { drift } = await expectShownAgain(other)
    const { added, removed } = drift!.byChannel.chat!
    expect(drift).toMatchObject({ exact: false, recipients: { approved: 3_000, current: 2_640 } })
    expect(added - removed).toBe(-360)
    expect(Math.abs(added + removed - 540)).toBeLessThan(300)
  })

  it('is shown again if one was exchanged in the group by its author', async () => {
    const { uids } = await people(1_500)
    const group = await list({ members: uids.slice(1) })
    const id = await approved(inGroups(group))
    await change(group, { add: [uids[0]!], remove: [uids[1]!] })
    expect((await expectShownAgain(id)).drift?.groups).toMatchObject([{ change: 'members' }])
  })

  const leave = (uids: string[]) => setTags(uids, [])
  const join = (uids: string[], tag: string) => setTags(uids, [tag])
  const setTags = (uids: string[], tags: string[]) =>
    sql`update subject set tags = ${tags}, moved_at = now() where uid = any(${uids}::text[])`.execute(
      database.db,
    )
})

describe('people who are exchanged while a message starts', () => {
  /** Started for a group of 600 people; its deliveries are not written yet. */
  async function started() {
    const { uids } = await people(600)
    const group = await list({ members: uids.slice(1) })
    const id = await approved(inGroups(group))
    expect(await startWave(fixture.delivery, id)).not.toBeNull()
    expect((await read(id)).state).toBe('sending')
    return { id, exchange: () => change(group, { add: [uids[0]!], remove: [uids[1]!] }) }
  }

  it('are found when the deliveries are written, and nothing stays reserved', async () => {
    const { id, exchange } = await started()
    await exchange()
    await expectShownAgain(id)
    const { rows } = await sql<{ reserved: number }>`
      select sum(unit_reserved + pool_reserved)::int as reserved from quota_reservation
      join wave on wave.id = wave_id where message_id = ${id}`.execute(database.db)
    expect(rows).toEqual([{ reserved: 0 }])
    expect((await read(id)).timeline.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['start', 'drift']),
    )
    await approveMessage(fixture.services, fixture.approver, id)
    await expectSentTo(id, 599)
  })

  it('are found after a pause, too', async () => {
    const { id, exchange } = await started()
    await pauseMessage(fixture.services, author, id)
    await exchange()
    await resumeMessage(fixture.services, author, id)
    await expectShownAgain(id)
  })

  it('are found if they are exchanged between comparison and writing, in one step', async () => {
    const [one, two] = (await people(2)).uids as [string, string]
    const group = await list({ members: [one] })
    const id = await approved(inGroups(group))
    const lock = (trx: typeof database.db) =>
      sql`select from message where id = ${id} for update`.execute(trx)
    const release = await holdTransaction(database.db, lock)
    const step = sendSmallWave(fixture.delivery, activityAttempt(), id, 'chat')
    await waitForBlocked(database.db)
    await change(group, { remove: [one], add: [two] })
    await release()
    await step
    await expectShownAgain(id)
  })
})

it('a change of a group that has not committed at submit counts as one after it', async () => {
  const { uids } = await people(21)
  const group = await list({ members: uids.slice(1) })
  const { personId } = author
  const commit = await holdTransaction(database.db, async (trx) => {
    await lockDefinition(trx, group)
    await insertMembers(trx, { id: group, parentId: null }, { uids: uids.slice(0, 1) })
    const by = { actor: `person:${personId}`, approver: false }
    await insertGroupChange(trx, { groupId: group, what: 'members', ...by })
  })
  const later = change(group, { remove: [uids[1]!] })
  await waitForBlocked(database.db)
  const id = await approved(inGroups(group))
  await commit()
  await later
  const { drift } = await expectShownAgain(id)
  expect(drift).toMatchObject({
    byChannel: { chat: { added: 1, removed: 1 } },
    groups: [{ change: 'members' }],
  })
})

describe('the limit of the automatic check', () => {
  const limit = (autoMaxRecipients: number) =>
    updateRows(database.db, 'category', { id: 'auto' }, { auto_max_recipients: autoMaxRecipients })
  beforeEach(() => limit(100))

  /** A message that the automatic check approves. */
  async function automatic(audience: CreateMessage['audience'], by: ProducerPrincipal = fixture.producer) {
    const parts = automaticParts(await makeTemplate(fixture, { approved: true }))
    const id = await createDraft(fixture, { ...parts, audience }, by)
    await submitMessage(fixture.services, by, id)
    return { id, outcome: await approveMessage(fixture.services, by, id) }
  }

  it('is asked again at the start', async () => {
    const { tag } = await people(98)
    const { id, outcome } = await automatic({ kind: 'query', tags: [tag] })
    expect(outcome).toEqual({ approved: true })
    await addRecipientsTo(database.db, tag, 5)
    const message = await expectShownAgain(id)
    expect(message).toMatchObject({
      review: { reason: 'audience_too_large' },
      drift: {
        reason: 'limit',
        recipients: { approved: 98, current: 103 },
        byChannel: { chat: { added: 5, removed: 0 } },
      },
    })
    await approveMessage(fixture.services, fixture.approver, id)
    await addRecipientsTo(database.db, tag, 1)
    await expectSentTo(id, 104)
  })

  it('is asked again of named people, who had no address', async () => {
    const { uids } = await people(3)
    for (const uid of uids.slice(1)) await unbind(uid)
    await limit(2)
    const by = { ...fixture.producer, individualTargeting: true }
    const { id, outcome } = await automatic({ kind: 'individual', uids }, by)
    expect(outcome).toEqual({ approved: true })
    for (const uid of uids.slice(1)) await bind(uid, newAddress())
    expect(await expectShownAgain(id)).toMatchObject({ drift: { reason: 'limit' } })
  })
})

describe('a message whose marks are not there', () => {
  async function old(audience: CreateMessage['audience']) {
    const id = await approved(audience)
    await database.db.deleteFrom('audience_sample').where('message_id', '=', id).execute()
    return id
  }

  it('is judged by how its counts differ, and by changes of groups since', async () => {
    const { uids } = await people(3)
    const group = await list({ members: uids.slice(0, 1) })
    await expectSentTo(await old(inGroups(group)), 1)
    fixture = withScriptedProvider(shared)
    const { tag } = await people(2)
    const grown = await old({ kind: 'query', tags: [tag] })
    await addRecipientsTo(database.db, tag, 1)
    expect((await expectShownAgain(grown)).drift).toMatchObject({ exact: false })
    const swapped = await old(inGroups(group))
    await change(group, { remove: [uids[0]!], add: [uids[1]!] })
    await expectShownAgain(swapped)
  })
})

it('a reminder goes to people of the first send only', async () => {
  const { uids } = await people(3)
  const group = await list({ members: uids.slice(0, 2) })
  const remindAt = new Date(Date.now() + 3_600_000).toISOString()
  const id = await approved(inGroups(group), { remindAt })
  expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'wait', for: 'the time of its reminder' })
  const first = await told()
  expect(first).toHaveLength(2)
  await change(group, { remove: [uids[0]!], add: [uids[2]!] })
  await sql`update message set remind_at = clock_timestamp() where id = ${id}`.execute(database.db)
  expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'end' })
  const reminded = (await told()).slice(2)
  expect(reminded.sort()).toEqual(first.sort())
})

it('a dry-run keeps nothing of the people', async () => {
  const { tag } = await people(2)
  const id = await createDraft(fixture, { audience: { kind: 'query', tags: [tag] } }, author)
  await dryRun(fixture.services, author, id)
  const rows = database.db.selectFrom('audience_sample').selectAll().where('message_id', '=', id)
  expect(await rows.execute()).toEqual([])
})

describe('the key that keeps a group', () => {
  it('is named by editors, or by the key itself where no other is', async () => {
    const { services } = fixture
    const group = await list({})
    const set = (by: Principal, keptByKeyId: string | null) =>
      codeOf(editGroup(services, by, group, { keptByKeyId }))
    expect(await set(keeper, other.keyId)).toBe('forbidden')
    expect(await set(keeper, keeper.keyId)).toBe('ok')
    expect(await set(other, other.keyId)).toBe('forbidden')
    expect(await set(other, null)).toBe('forbidden')
    expect(await set(author, other.keyId)).toBe('ok')
    expect(await set(author, 'nobody')).toBe('not_found')
    expect(await set(other, null)).toBe('ok')
    expect(await codeOf(list({ by: keeper, keptByKeyId: other.keyId }))).toBe('forbidden')
    const revoked = await key('Old system')
    await updateRows(database.db, 'producer_key', { id: revoked.keyId }, { revoked_at: sql<Date>`now()` })
    expect(await set(author, revoked.keyId)).toBe('not_found')
  })
})
