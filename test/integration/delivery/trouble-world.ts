import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createBreaker } from '../../../src/activities/delivery/circuit-breaker.ts'
import type { Delivery } from '../../../src/activities/delivery/delivery.ts'
import { finish } from '../../../src/activities/delivery/finish-wave.ts'
import { express } from '../../../src/activities/delivery/send-in-one-step.ts'
import { sendSlice } from '../../../src/activities/delivery/send-slice.ts'
import { start } from '../../../src/activities/delivery/start-wave.ts'
import { writeRows } from '../../../src/activities/delivery/write-rows.ts'
import { connectChat } from '../../../src/channels/chat/client.ts'
import { type ChatCall, sendChat } from '../../../src/channels/chat/send.ts'
import { compileEmail } from '../../../src/channels/email/compile.ts'
import { type LinkSigner, linkSigner } from '../../../src/channels/email/links.ts'
import { mailingSender } from '../../../src/channels/email/mailing.ts'
import type { Db } from '../../../src/db/connect.ts'
import { insertCategory } from '../../../src/db/queries/catalogue/category.ts'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import type { Channel } from '../../../src/domain/channel-plan.ts'
import { approved, fresh, makeScene, type Planned, type Scene, step } from '../../fixtures/delivery.ts'
import { mailbox, mailerTo, sender } from '../../fixtures/mailbox.ts'
import { simulator, token } from '../../fixtures/simulator.ts'

/** Real far ends of both channels, and a clock that the test puts forward. */
export type TroubleScene = Scene & {
  chat: Awaited<ReturnType<typeof simulator>>
  mail: Awaited<ReturnType<typeof mailbox>>
  /** For whom no link can be signed. */
  unsignable: Set<string>
  clock: { offsetMs: number }
  /** Both far ends take everything again. */
  recover(): Promise<unknown>
}

/** How long the adapters wait for an answer, ms of real time. */
const timeoutMs = 300

/** A world with a category for each channel; once per database. */
export async function makeTroubleScene(db: Db): Promise<Scene> {
  const scene = await makeScene(db)
  scene.services.channels.email = { compile: compileEmail }
  await setDefaultLimit(db, { scope: 'pool', channel: 'email', limit: 1_000_000 })
  for (const channel of ['chat', 'email'] as const)
    await insertCategory(db, {
      id: `by-${channel}`,
      name: { 'zh-TW': channel, en: channel },
      layer: 'service',
      channelPlan: { mode: 'all', channels: [channel] },
    })
  return scene
}

/** The same database with far ends and a worker of one test. */
export async function withFarEnds(scene: Scene): Promise<TroubleScene> {
  const [chat, mail] = [await simulator(), await mailbox()]
  const client = connectChat({ baseUrl: chat.url, token, timeoutMs })
  const unsignable = new Set<string>()
  const from = { name: 'Hub', address: sender }
  const links = careless(linkSigner(Buffer.alloc(32, 7)), unsignable)
  const email = mailingSender(mailerTo(mail.port, { timeoutMs }), {
    ...{ from, links, publicUrl: 'https://hub.example.edu', dkim: undefined },
  })
  const clock = { offsetMs: 0 }
  const delivery: Delivery = {
    ...fresh(scene).delivery,
    senders: { chat: (call) => sendChat(client, call as ChatCall), email },
    breaker: createBreaker(() => performance.now() + clock.offsetMs),
  }
  const recover = () =>
    Promise.all([chat, mail].map(({ url }) => fetch(`${url}/faults`, { method: 'DELETE' })))
  return { ...scene, delivery, chat, mail, unsignable, clock, recover }
}

/** A signer that breaks off over some. */
function careless(signer: LinkSigner, unsignable: Set<string>): LinkSigner {
  return {
    ...signer,
    sign(recipient, targets) {
      if (unsignable.has(recipient.subjectId)) throw new Error('cannot be signed')
      return signer.sign(recipient, targets)
    },
  }
}

export type Person = { subjectId: string; address: string }

/** People of a tag of their own, in the order in which they are sent to. */
export async function readers(
  db: Db,
  channel: Channel,
  size: number,
): Promise<{ tag: string; people: Person[] }> {
  const tag = `trouble:${randomUUID()}`
  const { rows } = await sql<Person>`
    with born as (
      insert into subject (uid, locale, tags) select ${tag} || '-' || n, 'en', array[${tag}]
      from generate_series(1, ${size}::int) as n returning id
    )
    insert into address (subject_id, channel, address)
    select id, ${channel}, case ${channel} when 'chat' then 'U' || replace(id::text, '-', '') else id || '@example.edu' end
    from born returning subject_id as "subjectId", address`.execute(db)
  return { tag, people: rows.toSorted((a, b) => (a.subjectId < b.subjectId ? -1 : 1)) }
}

export type Sent = Planned & { channel: Channel; small: boolean; people: Person[] }

/** A message to so many people by one channel, approved; `small` ones go out in one step. */
export async function message(scene: Scene, channel: Channel, size: number, small: boolean): Promise<Sent> {
  const { tag, people } = await readers(scene.db, channel, size)
  const planned = await approved(scene, tag, { categoryId: `by-${channel}` })
  return { ...planned, channel, small, people }
}

/** One step of a message's run. Answers for how long (ms) there is nothing to do; null: it is closed. */
export async function stepOnce(
  scene: TroubleScene,
  { id, waveId, channel, small }: Sent,
): Promise<number | null> {
  const { delivery } = scene
  if (small) {
    const { more, waitMs, closed } = await express(delivery, step(), id, channel)
    return closed ? null : more ? waitMs : 1_000
  }
  await start(delivery, id)
  await writeRows(delivery, step(), waveId)
  const { more, waitMs } = await sendSlice(delivery, step(), waveId, channel)
  if (more) return waitMs
  return (await finish(delivery, step(), id)).closed ? null : 1_000
}

/** Puts the clock forward: whatever was to come is so much nearer, whatever has been so much longer ago. */
export async function letPass({ db, clock }: TroubleScene, ms: number): Promise<void> {
  const by = sql`${ms} * interval '1 ms'`
  await sql`
    update batch set not_before = not_before - ${by}, failing_since = failing_since - ${by} where state = 'open'`.execute(
    db,
  )
  await sql`update wave set probe_at = probe_at - ${by}, parked_at = parked_at - ${by} where parked is not null`.execute(
    db,
  )
  await sql`update channel_rest set until = until - ${by}, probe_at = probe_at - ${by}`.execute(db)
  await sql`update call set first_try_at = first_try_at - ${by} where state = 'open'`.execute(db)
  clock.offsetMs += ms
}

/** Who was told by a far end, as often as they were. */
export async function told({ chat, mail }: TroubleScene): Promise<string[]> {
  const calls = (await chat.journal()).filter(({ status }) => status === 200)
  return [...calls.flatMap(({ to }) => to), ...(await mail.journal()).flatMap(({ to }) => to)]
}
