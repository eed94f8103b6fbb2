import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { upsertPerson, upsertSubjects } from '../../../dev/people.ts'
import { compileChat } from '../../../src/channels/chat/compile.ts'
import type { Role } from '../../../src/contract/enums.ts'
import { ServiceError } from '../../../src/contract/errors.ts'
import type { CreateMessage } from '../../../src/contract/messages/create.ts'
import type { Db } from '../../../src/db/connect.ts'
import { insertCategory } from '../../../src/db/queries/catalogue/category.ts'
import { insertMember } from '../../../src/db/queries/identity/person.ts'
import { insertUnit } from '../../../src/db/queries/identity/unit.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { setAddresses } from '../../../src/db/queries/subject/consent.ts'
import type { PersonPrincipal, ProducerPrincipal } from '../../../src/domain/principal.ts'
import type { RunKind, SignalName } from '../../../src/domain/signals.ts'
import type { Services } from '../../../src/services/context.ts'
import { createMessage } from '../../../src/services/messages/create.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { approveTemplate } from '../../../src/services/templates/decide.ts'
import { createTemplate } from '../../../src/services/templates/templates.ts'

/** A small unit with everything a message needs, in a database of its own. */
export type World = Awaited<ReturnType<typeof makeWorld>>

/** People in the unit: student members with a chat address each. */
const people = 10

export async function makeWorld(db: Db) {
  const pokes: [RunKind, string, SignalName][] = []
  const services: Services = {
    db,
    poke: (kind, id, signal) => void pokes.push([kind, id, signal]),
    channels: { chat: { compile: compileChat } },
    quotaTimeZone: 'Asia/Taipei',
    outbound: openOutbound({ allow: [] }),
    log: pino({ level: 'silent' }),
  }
  const unit = await insertUnit(db, { name: 'Registry', kind: 'ordinary' })
  const otherUnit = await insertUnit(db, { name: 'Library', kind: 'ordinary' })
  const chat = { mode: 'first_available' as const, channels: ['chat' as const] }
  const named = (name: string) => ({ 'zh-TW': name, en: name })
  await insertCategory(db, {
    id: 'auto',
    name: named('Auto'),
    layer: 'service',
    channelPlan: chat,
    approvalRule: 'auto',
    autoMaxRecipients: 100,
  })
  await insertCategory(db, { id: 'manual', name: named('Manual'), layer: 'service', channelPlan: chat })
  await insertCategory(db, {
    id: 'mail',
    name: named('Mail'),
    layer: 'service',
    channelPlan: { mode: 'all', channels: ['chat', 'email'] },
  })
  await insertCategory(db, {
    id: 'off',
    name: named('Off'),
    layer: 'service',
    channelPlan: chat,
    enabled: false,
  })
  for (const scope of [unit.id, otherUnit.id])
    await setDefaultLimit(db, { scope, channel: 'chat', limit: 1_000 })
  await setDefaultLimit(db, { scope: 'pool', channel: 'chat', limit: 0 })
  await addStudents(db, people)

  const person = async (name: string, roles: Role[], ...units: string[]): Promise<PersonPrincipal> => {
    const email = `${name}-${randomUUID()}@example.edu`
    const personId = await upsertPerson(db, { email, name })
    for (const unitId of units) await insertMember(db, unitId, personId, roles)
    const memberships = units.map((unitId) => ({ unitId, roles }))
    return { kind: 'person', personId, systemAdmin: false, memberships }
  }
  return {
    db,
    services,
    pokes,
    unit,
    otherUnit,
    person,
    producer: producer(unit.id),
    otherProducer: producer(otherUnit.id),
    editor: await person('Editor', ['editor'], unit.id),
    approver: await person('Approver', ['approver'], unit.id),
    both: await person('Both', ['editor', 'approver'], unit.id),
    otherApprover: await person('Other', ['approver'], otherUnit.id),
  }
}

export function producer(unitId: string, rights: Partial<ProducerPrincipal> = {}): ProducerPrincipal {
  return {
    kind: 'producer',
    keyId: 'key1',
    unitId,
    unitKind: 'ordinary',
    categories: null,
    dimensions: null,
    individualTargeting: false,
    ...rights,
  }
}

async function addStudents(db: Db, count: number): Promise<void> {
  const uids = Array.from({ length: count }, (_, n) => `student-${n}`)
  const ids = await upsertSubjects(
    db,
    uids.map((uid) => ({ uid, stage: 'member', roles: ['student'] })),
  )
  const addresses = [...ids.values()].map((subjectId, n) => ({
    subjectId,
    channel: 'chat' as const,
    address: `U${String(n).padStart(32, '0')}`,
  }))
  await setAddresses(db, addresses)
}

/** A body that is right; parts of it may be replaced. */
export function body(parts: Partial<CreateMessage> = {}): CreateMessage {
  return {
    categoryId: 'manual',
    messages: [{ kind: 'text', text: { 'zh-TW': '註冊今天截止', en: 'Registration closes today' } }],
    audience: { kind: 'query', roles: ['student'] },
    ...parts,
  }
}

/** A draft of the world's producer (or of somebody else), and its id. */
export async function draft(
  { services, producer }: World,
  parts: Partial<CreateMessage> = {},
  by: ProducerPrincipal | PersonPrincipal = producer,
): Promise<string> {
  return (await createMessage(services, by, randomUUID(), body(parts))).id
}

/** A submitted message, and its id. */
export async function submitted(world: World, ...given: DraftParts): Promise<string> {
  const id = await draft(world, ...given)
  await submitMessage(world.services, given[1] ?? world.producer, id)
  return id
}
type DraftParts = [parts?: Partial<CreateMessage>, by?: ProducerPrincipal | PersonPrincipal]

/** A template about a course and its room, and its id; approved if asked. */
export async function makeTemplate(
  { services, producer, approver }: World,
  { by = producer, approved = false }: { by?: ProducerPrincipal; approved?: boolean } = {},
): Promise<string> {
  const { id } = await createTemplate(services, by, {
    name: 'Course',
    categoryId: 'auto',
    messages: [{ kind: 'text', text: { 'zh-TW': '{{ course }} 在 {{ room }}' } }],
    variables: [
      { name: 'course', required: true },
      { name: 'room', required: true },
    ],
  })
  if (approved) await approveTemplate(services, approver, id)
  return id
}

/** A message that the automatic check approves, as a body's parts. */
export function automatic(templateId: string): Partial<CreateMessage> {
  return {
    categoryId: 'auto',
    messages: undefined,
    templateId,
    variables: { course: '微積分', room: 'A101' },
  }
}

/** How a call ended: `ok`, or the code of its error. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'ok'
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

/** Sets what the unit may push by chat this month; answers how to set it back. */
export async function setQuota({ db, unit }: World, limit: number): Promise<() => Promise<unknown>> {
  const set = (monthly_limit: number) =>
    db.updateTable('quota_ledger').set({ monthly_limit }).where('scope', '=', unit.id).execute()
  await set(limit)
  return () => set(1_000)
}
