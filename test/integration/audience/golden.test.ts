import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, it } from 'vitest'
import { type AudienceSpec, countAudience } from '../../../src/db/queries/audience/count.ts'
import { compareAudience, recordAudience } from '../../../src/db/queries/audience/sample.ts'
import { recheck } from '../../../src/db/queries/delivery/call.ts'
import { insertDeliveries } from '../../../src/db/queries/delivery/deliveries.ts'
import {
  adjustReservation,
  releaseAll,
  reserve,
  settleReservation,
} from '../../../src/db/queries/quota/quota.ts'
import { newWave } from '../../fixtures/new-wave.ts'
import { populate } from '../../fixtures/population.ts'
import { watchedDatabase } from '../../fixtures/query-plans.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

/** The most important SQL as it reaches Postgres, so that reviews show its changes. UPDATE_GOLDEN=1 rewrites it. */

const database = forFile(freshDatabase)
const watched = forFile(() => watchedDatabase(database.url))
const population = forFile(() => populate(database.db, 50))
beforeEach(() => void watched.asked.splice(0))

const sentStatements = () => watched.asked.map(({ sql }) => sql.trim())

const everybody = (): AudienceSpec => ({
  unitId: population.unitId,
  audience: { kind: 'all' },
  plan: { mode: 'first_available', channels: ['chat'] },
  categoryId: 'news',
  layer: 'promotional',
  consentScope: 'admission',
  topicId: null,
})
const someOnAnyChannel = (): AudienceSpec => ({
  ...everybody(),
  audience: {
    kind: 'query',
    roles: ['student'],
    stages: ['member', 'alumni'],
    orgUnits: ['law'],
    classIds: ['c1'],
    tags: ['interest:go'],
    groups: [...population.groups.keys()],
    history: [
      { kind: 'received', messageId: population.messageIds[0]! },
      { kind: 'answered', messageId: population.messageIds[0]!, optionId: 'yes' },
    ],
    exclude: {
      tags: ['cohort:2026'],
      groups: [...population.groups.keys()].slice(0, 1),
      history: [{ kind: 'received', messageId: population.messageIds[1]! }],
    },
  },
  plan: { mode: 'first_available', channels: ['email', 'chat'] },
  topicId: population.topicId,
})
const dutyOnAllChannels = (): AudienceSpec => ({
  ...someOnAnyChannel(),
  audience: { kind: 'individual', uids: ['u1', 'u2'] },
  plan: { mode: 'all', channels: ['chat', 'email'] },
  layer: 'mandatory',
  consentScope: null,
})

it.each([
  ['audience-all', everybody],
  ['audience-query', someOnAnyChannel],
  ['audience-individual', dutyOnAllChannels],
])('%s: the count of a dry-run', async (name, spec) => {
  await countAudience(watched.db, spec())
  expectGolden(name, sentStatements().slice(-1))
})

it.each([
  ['sample-all', everybody],
  ['sample-query', someOnAnyChannel],
])('%s: what submit keeps of the people, and the comparison at the start', async (name, spec) => {
  const messageId = population.messageIds[0]!
  await watched.db.transaction().execute(async (trx) => {
    await recordAudience(trx, messageId, spec())
    await compareAudience(trx, messageId, spec())
  })
  expectGolden(
    name,
    sentStatements().filter((sql) => sql.includes('audience_sample')),
  )
})

it.each([
  ['deliveries-per-person', everybody],
  ['deliveries-per-channel', dutyOnAllChannels],
])('%s: the rows and batches of a wave', async (name, spec) => {
  await watched.db.transaction().execute(async (trx) => {
    const waveId = await newWave(trx)
    await insertDeliveries(
      trx,
      waveId,
      { ...spec(), messageId: population.messageIds[0]! },
      { chat: 500, email: 64 },
    )
    expectGolden(
      name,
      sentStatements().filter((sql) => sql.startsWith('with people')),
    )
  })
})

it('deliveries-of-reminder: the rows of a reminder to those who have not answered', async () => {
  const spec = someOnAnyChannel()
  await watched.db.transaction().execute(async (trx) => {
    const [firstWaveId, waveId] = [await newWave(trx), await newWave(trx)]
    const messageId = population.messageIds[0]!
    const reminds = { messageId, firstWaveId, to: 'unanswered' as const }
    await insertDeliveries(trx, waveId, { ...spec, messageId, reminds }, { chat: 500, email: 64 })
    expectGolden(
      'deliveries-of-reminder',
      sentStatements().filter((sql) => sql.startsWith('with people')),
    )
  })
})

it('recheck: the members of a batch before its call', async () => {
  const spec = someOnAnyChannel()
  await recheck(watched.db, await newWave(database.db), 'email', 0, spec)
  expectGolden('recheck')
})

it('ledger: what is locked and written, in this order, for a wave that reserves, sends and ends', async () => {
  const { unitId } = population
  const waveId = await newWave(database.db)
  const rows = [unitId, 'pool'].map((scope) => ({ scope, channel: 'chat' as const, monthly_limit: 10 }))
  await database.db.insertInto('quota_default').values(rows).execute()
  const account = { waveId, unitId, channel: 'chat' as const, month: '2026-11-01' }
  await watched.db.transaction().execute(async (trx) => {
    await reserve(trx, { ...account, pushes: 13 })
    await adjustReservation(trx, { ...account, pushes: 14 })
    await settleReservation(trx, { ...account, committed: 9, released: 1 })
    await releaseAll(trx, waveId)
  })
  expectGolden('ledger')
})

function expectGolden(name: string, statements = sentStatements()): void {
  const file = new URL(`../../golden/${name}.sql`, import.meta.url)
  const text = statements.map((sql) => `${sql};\n`).join('\n')
  if (process.env.UPDATE_GOLDEN) {
    mkdirSync(new URL('.', file), { recursive: true })
    writeFileSync(file, text)
  }
  expect(text, `test/golden/${name}.sql; UPDATE_GOLDEN=1 rewrites it`).toBe(readFileSync(file, 'utf8'))
}
