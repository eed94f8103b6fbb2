import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Channel } from '../../../src/contract/enums.ts'
import type { Trx } from '../../../src/db/connect.ts'
import { type AudienceSpec, countAudience } from '../../../src/db/queries/audience/count.ts'
import { compareAudience, recordAudience } from '../../../src/db/queries/audience/sample.ts'
import { insertDeliveries } from '../../../src/db/queries/delivery/deliveries.ts'
import type { AudienceDimensions } from '../../../src/domain/audience/audience.ts'
import { audienceChange, bindsPeople } from '../../../src/domain/audience/drift.ts'
import { newWave } from '../../fixtures/new-wave.ts'
import { type Person, populate } from '../../fixtures/population.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { anySpec } from './any-spec.ts'
import { count, judge } from './model.ts'
import { rollBack } from './roll-back.ts'

const database = forFile(freshDatabase)
const population = forFile(() => populate(database.db, 300))

const everybody: AudienceSpec = {
  unitId: randomUUID(),
  audience: { kind: 'all' },
  plan: { mode: 'first_available', channels: ['chat', 'email'] },
  categoryId: 'news',
  layer: 'promotional',
  consentScope: 'admission',
  topicId: null,
}

/** How many people were added and removed on a channel, by the model. */
function differences(before: AudienceSpec, now: AudienceSpec, channel: Channel) {
  const { people, groups } = population
  const gets = (spec: AudienceSpec) => (person: Person) =>
    judge(person, spec, groups)?.channels.includes(channel) ?? false
  const [had, has] = [people.filter(gets(before)), people.filter(gets(now))]
  return {
    added: has.filter((person) => !had.includes(person)).length,
    removed: had.filter((person) => !has.includes(person)).length,
  }
}

describe('an audience', () => {
  it('counts exactly the subjects that the rules name, and why the others receive nothing', async () => {
    await fc.assert(
      fc.asyncProperty(anySpec(population), async (spec) => {
        expect(await countAudience(database.db, spec)).toEqual(count(population, spec))
      }),
      { numRuns: 300 },
    )
  })

  it('writes a row for every named subject, exactly as counted', async () => {
    await fc.assert(
      fc.asyncProperty(anySpec(population), (spec) =>
        rollBack(database.db, async (trx) => {
          const result = await write(trx, spec)
          expect(result.rows).toEqual(expectedRows(spec))
          const counted = await countAudience(trx, spec)
          const excluded = Object.entries(counted.excluded).filter(([, people]) => people > 0)
          expect(result.skipped).toEqual(Object.fromEntries(excluded))
          expect(result.pending).toEqual(counted.byChannel)
          expect(result.expected).toBe(result.rows.length)
        }),
      ),
      { numRuns: 100 },
    )
  })

  it('is compared exactly with an earlier one, before and after its rows are written', async () => {
    await fc.assert(
      fc.asyncProperty(anySpec(population), anySpec(population), (before, { audience }) =>
        rollBack(database.db, async (trx) => {
          const now = { ...before, audience }
          const messageId = population.messageIds[0]!
          const expected = Object.fromEntries(
            before.plan.channels.map((channel) => [channel, differences(before, now, channel)]),
          )
          expect(await recordAudience(trx, messageId, before)).toEqual(await countAudience(trx, before))
          const { recipients, compared } = await compareAudience(trx, messageId, now)
          expect(recipients).toEqual(await countAudience(trx, now))
          expect(audienceChange(compared!)).toEqual({ byChannel: expected, exact: true })
          const waveId = await newWave(trx)
          const result = await insertDeliveries(trx, waveId, { ...now, messageId }, { chat: 500, email: 64 })
          expect(result.compared).toEqual(bindsPeople({ audience }) ? compared : null)
        }),
      ),
      { numRuns: 60 },
    )
  })

  it('names every subject once: recipients and excluded add up', async () => {
    const { total, excluded } = await countAudience(database.db, everybody)
    const left = Object.values(excluded).reduce((sum, people) => sum + people)
    expect(total + left).toBe(population.people.length)
  })

  it('resolves no group, receipt or answer of another unit, and no unknown one', async () => {
    const [messageId, group] = [population.messageIds[0]!, [...population.groups.keys()]]
    const audiences: ((id: string) => AudienceDimensions)[] = [
      (messageId) => ({ history: [{ kind: 'received', messageId }] }),
      (messageId) => ({ history: [{ kind: 'answered', messageId }] }),
      (id) => ({ groups: [id] }),
    ]
    for (const [of, id] of [
      [audiences[0]!, messageId],
      [audiences[1]!, messageId],
      ...group.map((id) => [audiences[2]!, id] as const),
    ] as const) {
      const spec = (id: string, unitId = population.unitId): AudienceSpec => ({
        ...{ ...everybody, consentScope: null, unitId },
        audience: { kind: 'query', ...of(id) },
      })
      expect((await countAudience(database.db, spec(id))).total).toBeGreaterThan(0)
      for (const nobody of [spec(id, randomUUID()), spec(randomUUID()), spec('no id')])
        expect(await countAudience(database.db, nobody)).toMatchObject({
          total: 0,
          excluded: { noAddress: 0 },
        })
    }
  })

  it.each([
    ['of a query', { kind: 'query' }],
    ['of what is excluded', { kind: 'all', exclude: {} }],
  ] as const)('refuses what no query can answer: no dimension %s', async (_, audience) => {
    const spec = { ...everybody, audience: audience as unknown as AudienceSpec['audience'] }
    await expect(countAudience(database.db, spec)).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining('at least one dimension'),
    })
  })
})

/** Writes a wave and reads its rows. */
async function write(trx: Trx, spec: AudienceSpec) {
  const id = await newWave(trx)
  const ofMessage = { ...spec, messageId: randomUUID() }
  const { byChannel, ...result } = await insertDeliveries(trx, id, ofMessage, { chat: 500, email: 64 })
  const pending = spec.plan.channels.map((channel) => {
    const { expected = 0, skipped = {} } = byChannel[channel] ?? {}
    return [channel, Object.values(skipped).reduce((rest, people) => rest - people, expected)]
  })
  const rows = await trx.selectFrom('delivery').selectAll().where('wave_id', '=', id).execute()
  return { ...result, pending: Object.fromEntries(pending), rows: rows.map(describeRow).sort() }
}

type DeliveryRow = { subject_id: string; channel: string; state: string; reason: string | null }

function describeRow({ subject_id, channel, state, reason }: DeliveryRow): string {
  return [subject_id, channel, state, reason].join(' ')
}

function expectedRows(spec: AudienceSpec): string[] {
  return population.people
    .flatMap((person): DeliveryRow[] => {
      const { id: subject_id } = person
      const verdict = judge(person, spec, population.groups)
      if (!verdict) return []
      if (verdict.excluded)
        return [{ subject_id, channel: spec.plan.channels[0]!, state: 'skipped', reason: verdict.excluded }]
      return verdict.channels.map((channel) => ({ subject_id, channel, state: 'pending', reason: null }))
    })
    .map(describeRow)
    .sort()
}
