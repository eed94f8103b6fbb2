import { setTimeout as sleep } from 'node:timers/promises'
import { apiService, simulatorService, workerService } from '../../dev/services.ts'
import { bindEvents, signedEvent } from '../b4/event.ts'
import { type BenchInstallation, openInstallation } from '../installation.ts'
import { insertPeople } from '../people.ts'
import { memoryMbOf } from '../process-cost.ts'

/**
 * `node bench/steady/measure.ts [--minutes=N]`: lets events about one person each arrive evenly, and prints what each
 * process occupies every half minute, so that growth is seen. See ../README.md.
 */
const minutes = Number(
  process.argv.find((arg) => arg.startsWith('--minutes='))?.slice('--minutes='.length) ?? 10,
)
const perSecond = 6
const printEveryMs = 30_000
const people = 1_000

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const installation = await openInstallation()
try {
  await insertPeople(installation, people, false)
  const { environment } = installation
  const variables = { ...environment.variables, RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_SECOND: '0' }
  await installation.start(simulatorService(environment))
  await installation.start(apiService({ ...environment, variables }))
  await installation.start(workerService(environment))
  await bindEvents(installation)
  await raiseEvenly(installation)
} finally {
  await installation.close()
}

async function raiseEvenly({ environment, services }: BenchInstallation): Promise<void> {
  const begun = performance.now()
  const total = minutes * 60 * perSecond
  let printed = -1
  for (let n = 0; n < total; n += 1) {
    await sleep(Math.max(0, begun + (n * 1_000) / perSecond - performance.now()))
    const { path, ...request } = signedEvent(environment.secrets.eventKeys[0]!, (n % people) + 1)
    const answer = await fetch(environment.addresses.api + path, { method: 'POST', ...request })
    await answer.text()
    if (!answer.ok) throw new Error(`An event was answered ${answer.status}.`)
    const due = Math.floor((performance.now() - begun) / printEveryMs)
    if (due > printed) {
      printed = due
      const held = services().map(({ name, pid }) => `${name} ${Math.round(memoryMbOf(pid))}`)
      process.stdout.write(`${due / 2} min, ${n} events, MB: ${held.join(', ')}\n`)
    }
  }
}
