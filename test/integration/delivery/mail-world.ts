import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createBreaker } from '../../../src/activities/delivery/circuit-breaker.ts'
import { finish } from '../../../src/activities/delivery/finish-wave.ts'
import { sendSlice } from '../../../src/activities/delivery/send-slice.ts'
import { compileEmail } from '../../../src/channels/email/compile.ts'
import { linkSigner } from '../../../src/channels/email/links.ts'
import { mailingSender } from '../../../src/channels/email/mailing.ts'
import type { Channel } from '../../../src/contract/enums.ts'
import type { Db } from '../../../src/db/connect.ts'
import { type Category, insertCategory } from '../../../src/db/queries/catalogue/category.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { mailbox, mailerTo, sender } from '../mailbox/start.ts'
import { fresh, makeScene, type Planned, type Scene, step } from './world.ts'

export type MailScene = Scene & { box: Awaited<ReturnType<typeof mailbox>> }

const plan = (mode: 'all' | 'first_available', ...channels: Channel[]) => ({ mode, channels })

/** Categories that go by mail, each with one rule of its own. */
const categories: Record<string, Pick<Category, 'channelPlan'> & Partial<Category>> = {
  letters: { channelPlan: plan('all', 'email') },
  repeated: { channelPlan: plan('all', 'email'), onUnknown: 'repeat' },
  everywhere: { channelPlan: plan('all', 'chat', 'email') },
  'chat-first': { channelPlan: plan('first_available', 'chat', 'email') },
  'mail-first': { channelPlan: plan('first_available', 'email', 'chat') },
  capped: { channelPlan: plan('all', 'chat', 'email'), frequencyCap: { n: 2, days: 7 } },
}

/** A world whose categories go by mail; once per database. */
export async function makeMailScene(db: Db): Promise<Scene> {
  const scene = await makeScene(db)
  scene.services.channels.email = { compile: compileEmail }
  await setDefaultLimit(db, { scope: 'pool', channel: 'email', limit: 1_000_000 })
  for (const [id, rules] of Object.entries(categories))
    await insertCategory(db, { id, name: { 'zh-TW': id, en: id }, layer: 'service', ...rules })
  return scene
}

/** The same database with a mailbox, a chat provider and a worker of one test. */
export async function withMailbox(scene: Scene): Promise<MailScene> {
  const own = fresh(scene)
  const box = await mailbox()
  return { ...own, box, delivery: otherWorker(own, box) }
}

/** What another process would send with. */
export function otherWorker(scene: Scene, box: MailScene['box']): Scene['delivery'] {
  const links = linkSigner(Buffer.alloc(32, 7))
  const from = { name: 'Hub', address: sender }
  const email = mailingSender(mailerTo(box.port), {
    from,
    publicUrl: 'https://hub.example.edu',
    links,
    dkim: undefined,
  })
  return { ...scene.delivery, senders: { ...scene.delivery.senders, email }, breaker: createBreaker() }
}

export type Reach = { chat?: boolean; email?: boolean }

/** People of a tag of their own with addresses; every second reads English. Answers the tag. */
export async function readers(
  db: Db,
  size: number,
  { chat = false, email = true }: Reach = {},
): Promise<string> {
  const tag = `readers:${randomUUID()}`
  await sql`
    with born as (
      insert into subject (uid, locale, tags)
      select ${tag} || '-' || n, case n % 2 when 0 then 'en' else 'zh-TW' end, array[${tag}]
      from generate_series(1, ${size}::int) as n
      returning id
    )
    insert into address (subject_id, channel, address)
    select id, 'email', id || '@example.edu' from born where ${email}
    union all select id, 'chat', 'U' || replace(id::text, '-', '') from born where ${chat}
  `.execute(db)
  return tag
}

/** Slices until there are no more, on each channel, waiting at most a moment where a pause was asked for. */
export async function sendAll(scene: Scene, planned: Planned, ...channels: Channel[]): Promise<void> {
  for (const channel of channels.length > 0 ? channels : (['chat', 'email'] as const))
    for (;;) {
      const { more, waitMs } = await sendSlice(scene.delivery, step(), planned.waveId, channel)
      if (!more) break
      await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, 1_000)))
    }
}

export function finishing(scene: Scene, planned: Planned) {
  return finish(scene.delivery, step(), planned.id)
}

/** Deliveries of a wave by `channel state reason`. */
export async function tally({ db }: Scene, { waveId }: Planned): Promise<Record<string, number>> {
  const { rows } = await sql<{ key: string; count: number }>`
    select concat_ws(' ', channel, state, reason) as key, count(*)::int as count
    from delivery where wave_id = ${waveId} group by 1`.execute(db)
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]))
}

/** The next so many recipients of the wave, in the order in which they are mailed. */
export async function inOrder({ db }: Scene, { waveId }: Planned): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from delivery join address using (subject_id, channel)
    where wave_id = ${waveId} and channel = 'email' order by batch, subject_id`.execute(db)
  return rows.map(({ address }) => address)
}
