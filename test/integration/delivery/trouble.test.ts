import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { start } from '../../../src/activities/delivery/start-wave.ts'
import { writeRows } from '../../../src/activities/delivery/write-rows.ts'
import { countParked } from '../../../src/db/queries/delivery/parking.ts'
import { channelStandings } from '../../../src/db/queries/delivery/provider.ts'
import { checkInvariants } from '../../../src/db/queries/maintenance/doctor.ts'
import type { Channel } from '../../../src/domain/channel-plan.ts'
import { getMessage } from '../../../src/services/messages/get.ts'
import { type Scene, step } from '../../fixtures/delivery.ts'
import { type FreshDatabase, freshDatabase } from '../../harness/database.ts'
import {
  letPass,
  makeTroubleScene,
  message,
  type Sent,
  stepOnce,
  type TroubleScene,
  told,
  withFarEnds,
} from './trouble-world.ts'
import { type Trouble, troubles } from './troubles.ts'

/** One recipient whom something goes wrong with, at every step there is: everybody else is told once, and in time. */

let database: FreshDatabase
let shared: Scene
beforeAll(async () => {
  database = await freshDatabase()
  shared = await makeTroubleScene(database.db)
})
afterAll(() => database.drop())

/** On the test's own clock. */
const [minutes, hours] = [60_000, 3_600_000]
/** By then everybody else must have been told, and whoever is in trouble must have come to something. */
const limits = { othersMs: 10 * minutes, endMs: 30 * hours }

const places = { first: 0, middle: 0.5, last: 1 } as const
type Place = keyof typeof places
const sizes = { chat: { small: 6, large: 510 }, email: { small: 6, large: 70 } }

function placeOf({ people }: Sent, place: Place): number {
  return Math.round(places[place] * (people.length - 1))
}

/** How deliveries of a message stand, by address: `state reason`. */
async function fatesOf({ waveId }: Sent): Promise<Map<string, string>> {
  const rows = await database.db
    .selectFrom('delivery')
    .select(['subject_id', 'state', 'reason'])
    .where('wave_id', '=', waveId)
    .execute()
  return new Map(
    rows.map(({ subject_id, state, reason }) => [subject_id, reason ? `${state} ${reason}` : state]),
  )
}

/** Takes turns with everybody's runs until `until` holds; answers how long that took on the test's clock. */
async function play(scene: TroubleScene, runs: Sent[], until: () => Promise<boolean>, limitMs: number) {
  const closed = new Set<Sent>()
  const begun = scene.clock.offsetMs
  while (!(await until())) {
    const waits: number[] = []
    for (const run of runs) {
      if (closed.has(run)) continue
      const waitMs = await stepOnce(scene, run)
      if (waitMs === null) closed.add(run)
      else waits.push(waitMs)
    }
    expect(scene.clock.offsetMs - begun).toBeLessThan(limitMs)
    const next = Math.min(...waits)
    if (Number.isFinite(next) && next > 0) await letPass(scene, next)
  }
  return scene.clock.offsetMs - begun
}

async function plantAndPlay(channel: Channel, trouble: Trouble, place: Place, size: 'small' | 'large') {
  const scene = await withFarEnds(shared)
  const troubled = await message(scene, channel, sizes[channel][size], size === 'small')
  const others = await message(scene, channel, 3, true)
  const bad = troubled.people[placeOf(troubled, place)]!
  await trouble.plant(scene, bad)

  const good = troubled.people.filter((person) => person !== bad)
  const settledGood = async () => {
    const fates = await fatesOf(troubled)
    const states = good.map(({ subjectId }) => fates.get(subjectId))
    return states.every(
      (state) => state === 'sent' || (trouble.together !== undefined && state !== undefined),
    )
  }
  await play(scene, [troubled, others], settledGood, limits.othersMs)

  // Other messages come and go, as they do, until it is over.
  while (!(await isClosed(scene, troubled))) {
    await letPass(scene, 4 * hours)
    const later = await message(scene, channel, 1, true)
    await play(scene, [troubled, later], async () => (await tallyOf(later)) === 'sent', limits.othersMs)
    await play(scene, [troubled], async () => (await stepOnce(scene, troubled)) !== 0, limits.othersMs)
    expect(scene.clock.offsetMs).toBeLessThan(limits.endMs)
  }
  return { scene, troubled, good, bad }
}

/** What became of everybody, each word once. */
async function tallyOf(run: Sent): Promise<string> {
  return [...new Set((await fatesOf(run)).values())].join(', ')
}

function read(scene: TroubleScene, { id }: Sent) {
  return getMessage(scene.services, scene.editor, id)
}

for (const channel of ['chat', 'email'] as const)
  describe(`a recipient by ${channel}`, () => {
    const cases = troubles[channel].flatMap((trouble) =>
      (['small', 'large'] as const).flatMap((size) =>
        (['first', 'middle', 'last'] as const).map((at) => ({ trouble, what: trouble.name, at, size })),
      ),
    )
    it.each(cases)(
      'with $what, $at of a $size message, keeps nobody else waiting',
      async ({ trouble, at, size }) => {
        const { scene, troubled, good, bad } = await plantAndPlay(channel, trouble, at, size)
        const fates = await fatesOf(troubled)
        expect(fates.get(bad.subjectId)).toBe(trouble.ends)
        const goodEnds = new Set(good.map(({ subjectId }) => fates.get(subjectId)))
        expect([...goodEnds].filter((fate) => fate !== trouble.together)).toEqual(
          trouble.together && goodEnds.size === 1 ? [] : ['sent'],
        )
        const journal = await told(scene)
        expect(journal.length).toBe(new Set(journal).size)
        const { state, parked, problem } = await read(scene, troubled)
        expect({ state, parked, problem }).toEqual({ state: 'sent', parked: null, problem: undefined })
        const broken = (await checkInvariants(database.db)).filter(({ ok, name }) => !ok && name !== 'I8')
        expect(broken).toEqual([])
      },
    )
  })

describe('trouble that passes', () => {
  const cases = (['chat', 'email'] as const).flatMap((channel) =>
    troubles[channel]
      .filter(({ passes }) => passes)
      .map((trouble) => ({ channel, trouble, what: trouble.name })),
  )
  it.each(cases)('leaves nothing parked behind: $what by $channel', async ({ channel, trouble }) => {
    const scene = await withFarEnds(shared)
    const troubled = await message(scene, channel, sizes[channel].small, true)
    await trouble.plant(scene, troubled.people[placeOf(troubled, 'middle')]!)
    const begun = scene.clock.offsetMs
    await play(
      scene,
      [troubled],
      async () => scene.clock.offsetMs - begun > 3 * minutes || (await isClosed(scene, troubled)),
      hours,
    )
    await scene.recover()
    await play(scene, [troubled], () => isClosed(scene, troubled), hours)
    const fates = new Set((await fatesOf(troubled)).values())
    for (const fate of fates) expect(['sent', trouble.ends]).toContain(fate)
    expect(await read(scene, troubled)).toMatchObject({ state: 'sent', parked: null, retrying: [] })
  })
})

describe('a batch that keeps failing while others get through', () => {
  it('is shown with its reason, in the message, in health and in the metrics, and only as long as it does', async () => {
    const scene = await withFarEnds(shared)
    const troubled = await message(scene, 'chat', sizes.chat.large, false)
    await scene.chat.fault({ to: troubled.people[0]!.address, status: 500, times: 1_000 })
    const others = await message(scene, 'chat', 3, true)
    const begun = scene.clock.offsetMs
    await play(scene, [troubled, others], async () => scene.clock.offsetMs - begun > 3 * minutes, hours)

    expect(await read(scene, troubled)).toMatchObject({
      problem: 'provider',
      parked: { problem: 'provider', nextProbeAt: expect.any(String) },
      retrying: [{ channel: 'chat', reason: 'http_500', recipients: 500, tries: expect.any(Number) }],
      stats: { sent: 10, pending: 500 },
    })
    const [standing] = await channelStandings(database.db)
    expect(standing).toMatchObject({ channel: 'chat', retrying: 1, restsUntil: null })
    expect(standing!.oldestSeconds).toBeGreaterThan(60)
    expect(await countParked(database.db)).toMatchObject({ provider: 1 })

    await scene.recover()
    await play(scene, [troubled], () => isClosed(scene, troubled), hours)
    expect(await read(scene, troubled)).toMatchObject({
      parked: null,
      retrying: [],
      stats: { sent: 510, pending: 0 },
    })
    expect((await channelStandings(database.db))[0]).toMatchObject({ retrying: 0 })
  })
})

describe('a send that stands still since before the upgrade', () => {
  it.each(['an address that no envelope takes', 'RCPT 421', 'RCPT 554, relay', 'RCPT, hangs up'])(
    'goes on by itself: %s',
    async (name) => {
      const scene = await withFarEnds(shared)
      const troubled = await message(scene, 'email', sizes.email.large, false)
      await start(scene.delivery, troubled.id)
      await writeRows(scene.delivery, step(), troubled.waveId)
      const bad = troubled.people[0]!
      await troubles.email.find((trouble) => trouble.name === name)!.plant(scene, bad)
      await sql`
        update wave set parked = 'provider', parked_at = now() - interval '1 day', probe_at = now() + interval '1 minute',
          claimed = true
        where id = ${troubled.waveId}`.execute(database.db)
      await sql`update message set problem = 'provider' where id = ${troubled.id}`.execute(database.db)

      const others = troubled.people.filter((person) => person !== bad)
      const toldAll = async () => {
        const fates = await fatesOf(troubled)
        return others.every(({ subjectId }) => fates.get(subjectId) === 'sent')
      }
      await play(scene, [troubled], toldAll, limits.othersMs)
      expect(await told(scene)).toHaveLength(others.length)
    },
  )
})

async function isClosed(scene: TroubleScene, sent: Sent): Promise<boolean> {
  return (await read(scene, sent)).closedAt !== null
}
