import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../dev/demo/send.ts'
import { bindEvents, signedEvent } from '../b4/event.ts'
import { type AskedRun, activate, askPeople, tap } from '../conversation.ts'
import type { BenchInstallation } from '../installation.ts'
import { chatAddressOf } from '../people.ts'
import { type ProviderWatch, watchProvider } from '../provider.ts'
import { pendingOf, say } from './loads.ts'
import { asks, createUnit, notFound, putInForce, startProducer } from './unit.ts'

/** What one person of another unit does and waits for. */
export type Probe = {
  what: string
  /** Prepares a round, in which it is done once by each of so many people, from this one on. */
  begin?(from: number, people: number): Promise<void>
  once(nth: number): Promise<void>
}

const lookEveryMs = 5
const timeoutMs = 2 * 60_000

/** The probes, all of one unit; so many people are asked at most. */
export async function prepareProbes(installation: BenchInstallation, most: number): Promise<Probe[]> {
  const { environment, credentials } = installation
  const provider = watchProvider(installation)
  await bindEvents(installation)
  const scenarioId = await activate(installation, most)
  const unit = await createUnit(installation, 'probe')
  const url = await startProducer(installation, environment.settings.ports.producer, 0)
  await putInForce(unit, { ...asks(url), triggers: { keywords: ['order'] } })
  const reader = { api: environment.addresses.api, key: credentials.key }
  const runsByNumber = new Map<number, AskedRun>()
  return [
    {
      what: 'message',
      once: (nth) => answers(provider, nth, () => raise(installation, nth)),
    },
    {
      what: 'conversation',
      async begin(from, people) {
        const runs = await askPeople(installation, scenarioId, people, from)
        for (const [n, run] of runs.entries()) runsByNumber.set(from + n, run)
      },
      once: (nth) => answers(provider, nth, () => tap(installation, runsByNumber.get(nth)!)),
    },
    {
      what: 'Lookup',
      once: (nth) => answers(provider, nth, () => say(installation, nth, 'order')),
    },
    {
      what: 'webhook',
      async once(nth) {
        await say(installation, nth, 'hello')
        await until(async () => (await pendingOf(installation, [chatAddressOf(nth)])) === 0)
      },
    },
    {
      what: 'read',
      once: async () => void (await call(reader, 'GET', '/v1/messages?limit=200')),
    },
  ]
}

async function raise({ environment }: BenchInstallation, nth: number): Promise<void> {
  const { path, ...request } = signedEvent(environment.secrets.eventKeys[0]!, nth)
  const answer = await fetch(environment.addresses.api + path, { method: 'POST', ...request })
  const text = await answer.text()
  if (!text.includes('messageId')) throw new Error(`An event made no message: ${answer.status} ${text}`)
}

/** Waits for what the provider accepts for a person after something happens. */
async function answers(provider: ProviderWatch, nth: number, happens: () => Promise<void>): Promise<void> {
  const { messages } = await provider.reaches(chatAddressOf(nth), happens)
  if (JSON.stringify(messages).includes(notFound)) throw new Error('A Lookup of the probe had no answer.')
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('A probe was not answered within two minutes.')
    await sleep(lookEveryMs)
  }
}
