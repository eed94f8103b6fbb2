import { randomUUID } from 'node:crypto'
import { type Caller, call } from '../../dev/demo/send.ts'
import { apiService } from '../../dev/services.ts'
import type { CreatedMessage } from '../../src/contract/messages/create.ts'
import type { DryRun } from '../../src/contract/messages/dry-run.ts'
import { judgedPeople } from '../b2/floor.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { shortMessage } from '../message.ts'
import { chatCategory } from '../names.ts'
import { insertPeople } from '../people.ts'
import { percentile } from '../percentile.ts'
import type { Measured } from '../result.ts'
import { alternate } from '../rounds.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'

/** Dry runs of a round, of which the median counts. */
const each = 3

const countPeople = `select count(*)::int as people, reason from (${judgedPeople}) as person group by reason`

/**
 * Measures the dry run of a message by chat to everybody: whom it would reach, and why not the others. The floor counts the
 * same people by one statement with the same joins.
 */
export async function measureB7(people: number): Promise<Measured> {
  const installation = await openInstallation()
  try {
    await insertPeople(installation, people, true)
    const { environment, credentials } = installation
    await installation.start(apiService(environment))
    const producer: Caller = { api: environment.addresses.api, key: credentials.key }
    const body = shortMessage(chatCategory, { kind: 'all' })
    const { id } = await call<CreatedMessage>(producer, 'POST', '/v1/messages', body, randomUUID())
    const dryRun = () => call<DryRun>(producer, 'POST', `/v1/messages/${id}/dry-run`)
    const counted = await countedOf(installation)
    const { recipients } = await dryRun()
    if (recipients.total !== counted)
      throw new Error(`Carillon counts ${recipients.total} people, the floor ${counted}.`)
    const rounds = await alternate(
      () => lapOf(installation, () => countedOf(installation)),
      () => lapOf(installation, dryRun),
    )
    return { rounds, notes: [`${people.toLocaleString('en')} people; the median of ${each} a round`] }
  } finally {
    await installation.close()
  }
}

/** How many people the floor would reach. */
function countedOf({ plainly, environment }: BenchInstallation): Promise<number> {
  return plainly(environment.addresses.databaseUrl, async (client) => {
    const { rows } = await client.query<{ people: number; reason: string | null }>(countPeople)
    return rows.find(({ reason }) => reason === null)?.people ?? 0
  })
}

async function lapOf(installation: BenchInstallation, once: () => Promise<unknown>): Promise<Stopwatch> {
  const lap = startStopwatch(installation)
  const took: number[] = []
  for (let n = 0; n < each; n += 1) {
    const begun = performance.now()
    await once()
    took.push((performance.now() - begun) / 1_000)
  }
  return { ...lap(each), seconds: percentile(took, 0.5) }
}
