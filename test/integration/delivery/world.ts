import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createBreaker } from '../../../src/activities/delivery/circuit-breaker.ts'
import type { Delivery, Step } from '../../../src/activities/delivery/delivery.ts'
import { type Express, express } from '../../../src/activities/delivery/send-in-one-step.ts'
import {
  noCounts,
  type Slice,
  type SliceCounts,
  sendSlice,
} from '../../../src/activities/delivery/send-slice.ts'
import { start } from '../../../src/activities/delivery/start-wave.ts'
import { writeRows } from '../../../src/activities/delivery/write-rows.ts'
import type { Channel } from '../../../src/contract/enums.ts'
import type { CreateMessage } from '../../../src/contract/messages/create.ts'
import type { Db } from '../../../src/db/connect.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { approveMessage } from '../../../src/services/messages/approve.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { draft, makeWorld, type World } from '../services/world.ts'
import { type Provider, provider } from './provider.ts'

export type Scene = World & { delivery: Delivery; provider: Provider; drain: { draining: boolean } }

/** A world with a provider in this process; quota is plenty, unless the pool is given. */
export async function makeScene(db: Db, pool = 10_000_000): Promise<Scene> {
  const world = await makeWorld(db)
  await setDefaultLimit(db, { scope: 'pool', channel: 'chat', limit: pool })
  const far = provider()
  const drain = { draining: false }
  const delivery: Delivery = {
    services: world.services,
    senders: { chat: far.send },
    drain,
    breaker: createBreaker(),
  }
  return { ...world, delivery, provider: far, drain }
}

/** The same database with a fresh provider, breaker and flag: one test's own. */
export function fresh(scene: Scene): Scene {
  const far = provider()
  const drain = { draining: false }
  const delivery = { ...scene.delivery, senders: { chat: far.send }, drain, breaker: createBreaker() }
  return { ...scene, delivery, provider: far, drain }
}

/** People of a tag of their own, with a chat address each; every second reads English. Answers the tag. */
export async function crowd(db: Db, size: number): Promise<string> {
  const tag = `crowd:${randomUUID()}`
  await join(db, tag, size)
  return tag
}

/** So many more people of a tag. */
export async function join(db: Db, tag: string, size: number): Promise<void> {
  await sql`
    with born as (
      insert into subject (uid, locale, tags)
      select ${tag} || '-' || n, case n % 2 when 0 then 'en' else 'zh-TW' end, array[${tag}]
      from generate_series(1, ${size}::int) as place,
        lateral (select place + (select count(*) from subject where tags @> array[${tag}]) as n) as numbered
      returning id
    )
    insert into address (subject_id, channel, address)
    select id, 'chat', 'U' || replace(id::text, '-', '') from born
  `.execute(db)
}

export type Planned = { id: string; waveId: string }

/** A message to everybody of a tag, approved by a person. */
export async function approved(
  scene: Scene,
  tag: string,
  parts: Partial<CreateMessage> = {},
): Promise<Planned> {
  const { db, services, producer, approver } = scene
  const id = await draft(scene, { audience: { kind: 'query', tags: [tag] }, ...parts })
  await submitMessage(services, producer, id)
  await approveMessage(services, approver, id)
  const wave = await db.selectFrom('wave').select('id').where('message_id', '=', id).executeTakeFirstOrThrow()
  return { id, waveId: wave.id }
}

/** A message that has begun: its rows are written, nothing is sent. */
export async function sending(
  scene: Scene,
  tag: string,
  parts: Partial<CreateMessage> = {},
): Promise<Planned> {
  const planned = await approved(scene, tag, parts)
  await start(scene.delivery, planned.id)
  await writeRows(scene.delivery, step(), planned.waveId)
  return planned
}

/** As if 20 s had passed for the claims of this wave. */
export async function letLeasesEnd({ db }: Scene, { waveId }: Planned): Promise<void> {
  await sql`
    update batch set lease_until = clock_timestamp() where wave_id = ${waveId} and lease_until is not null
  `.execute(db)
}

/** An attempt of an activity; each call is another activity of the same run unless told otherwise. */
export function step(parts: Partial<Step> = {}): Step {
  return { runId: 'run', activityId: randomUUID(), attempt: 1, heartbeat: () => {}, ...parts }
}

/**
 * Slices of one lane until nothing is left for it, or it is asked to wait: a slice ends with its second, which is soon
 * over on a busy machine. Counts are of all of them.
 */
export async function sendOn(
  delivery: Delivery,
  activity: Step,
  { waveId }: Planned,
  channel: Channel = 'chat',
): Promise<Slice> {
  const counts = { ...noCounts }
  for (;;) {
    const slice = await sendSlice(delivery, activity, waveId, channel)
    for (const end of Object.keys(counts) as (keyof SliceCounts)[]) counts[end] += slice.counts[end]
    if (!slice.more || slice.waitMs > 0) return { ...slice, counts }
  }
}

/** A small message on its whole way, until it is closed or asked to wait; in one activity, where that is quick enough. */
export async function expressOn(delivery: Delivery, activity: Step, { id }: Planned): Promise<Express> {
  for (;;) {
    const ended = await express(delivery, activity, id, 'chat')
    if (!ended.more || ended.waitMs > 0) return ended
  }
}

export async function detail({ db }: Scene, { id, waveId }: Planned) {
  const message = await db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const wave = await db.selectFrom('wave').selectAll().where('id', '=', waveId).executeTakeFirstOrThrow()
  return { message, wave }
}
