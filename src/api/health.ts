import type { ChannelHealth } from '../channels/channel.ts'
import { type Channel, channels, type IntegrationState, problems } from '../contract/enums.ts'
import type { Health } from '../contract/service.ts'
import { type Db, takesWrites } from '../db/connect.ts'
import { type ChannelStatus, readChannelStatuses } from '../db/queries/delivery/provider.ts'
import { type SummedShortfalls, sumFailedSends } from '../db/queries/delivery/shortfall.ts'
import { countParked, type ParkedCounts } from '../db/queries/run/parked.ts'
import { type RunHealth, readRunHealth } from '../db/queries/run/reconcile.ts'
import { allRunKinds, type RunKind } from '../domain/run/run-kinds.ts'
import type { Services } from '../services/context.ts'
import { assistantState, callbackState, lookupState } from '../services/integrations.ts'

/** Probes of the dependencies. Each times out by itself after about a second. */
export type Probes = {
  temporal: () => Promise<Health['temporal']>
  adapters: Partial<Record<Channel, () => Promise<ChannelHealth>>>
}

/** What the services do not know of integrations. `avatar`: whether requests of the assistant can be accepted. */
type IntegrationProbes = { signIn: (() => Promise<IntegrationState>) | undefined; avatar: boolean }

/** The state of each integration, for health and metrics. */
export type Integrations = () => Promise<Health['integrations']>

/** How long a probe's result is cached (ms): anyone may request health, and providers count calls. */
const cacheMs = 10_000

/** Reports the integrations. Asks at most once in ten seconds. */
export function integrationsOf(services: Services, probes: IntegrationProbes): Integrations {
  return remember(() => askIntegrations(services, probes))
}

/** Reports health. Probes Temporal and the providers at most once in ten seconds. */
export function healthOf(db: Db, probes: Probes, integrations: Integrations): () => Promise<Health> {
  const temporal = remember(() => probes.temporal().catch(() => 'down' as const))
  const adapters = remember(() => askAdapters(probes.adapters))
  return async () => {
    const answers = Promise.all([temporal(), adapters(), integrations()])
    const database = (await takesWrites(db).catch(() => false)) ? 'ok' : 'down'
    const runs = await readRunHealth(db)
      .then(totalHealth)
      .catch(() => null)
    const parked = await countParked(db)
      .then(totalParked)
      .catch(() => null)
    const statuses = await readChannelStatuses(db).catch(() => null)
    const failed = await sumFailedSends(db).catch(() => null)
    const [temporalState, probed, integrationStates] = await answers
    const adapterStates = withFailing(probed, statuses ?? [])
    const states = { temporal: temporalState, adapters: adapterStates, integrations: integrationStates }
    const parts = { database, ...states, runs, parked } as const
    const status = statusOf(parts)
    return {
      status: status === 'ok' && failed && failed.alerted > 0 ? 'degraded' : status,
      ...parts,
      sending: statuses && sendingOn(statuses, Object.keys(probes.adapters)),
      failedSends: failed && failedSendsOf(failed),
    }
  }
}

function failedSendsOf({ sends, people, reached, reasons }: SummedShortfalls): Health['failedSends'] {
  return { sends, people, reached, reasons }
}

/** The runs of all kinds together; the metrics have those of each. */
function totalHealth(health: Record<RunKind, RunHealth>): NonNullable<Health['runs']> {
  const total = { overdue: 0, wedged: 0, restarted: 0, oldestSeconds: 0 }
  for (const kind of allRunKinds) {
    const { overdue, wedged, restarted, oldestSeconds } = health[kind]
    total.overdue += overdue
    total.wedged += wedged
    total.restarted += restarted
    total.oldestSeconds = Math.max(total.oldestSeconds, oldestSeconds)
  }
  return total
}

function totalParked(counts: Record<RunKind, ParkedCounts>): NonNullable<Health['parked']> {
  const total = { provider: 0, provider_quota: 0, quota: 0, unknown_recipients: 0, internal: 0 }
  for (const kind of allRunKinds) for (const problem of problems) total[problem] += counts[kind][problem]
  return total
}

/** The sending state of the channels that are configured. */
function sendingOn(statuses: ChannelStatus[], set: string[]): Health['sending'] {
  const entries = statuses
    .filter(({ channel }) => set.includes(channel))
    .map(({ channel, restsUntil, retrying, oldestSeconds }) => [
      channel,
      { restsUntil: restsUntil?.toISOString() ?? null, retrying, oldestSeconds },
    ])
  return Object.fromEntries(entries)
}

/** A provider may answer a probe and take no message. */
function withFailing(probed: Health['adapters'], statuses: ChannelStatus[]): Health['adapters'] {
  const failing = statuses.filter(({ channel, takesNothing }) => takesNothing && probed[channel] === 'ok')
  return { ...probed, ...Object.fromEntries(failing.map(({ channel }) => [channel, 'unavailable'])) }
}

async function askAdapters(adapters: Probes['adapters']): Promise<Health['adapters']> {
  const answers = channels.map(async (channel) => {
    const health = await adapters[channel]?.().catch(() => ({ state: 'unavailable' }) as const)
    return [channel, health?.state ?? 'not_configured']
  })
  return Object.fromEntries(await Promise.all(answers))
}

async function askIntegrations(
  services: Services,
  { signIn, avatar }: IntegrationProbes,
): Promise<Health['integrations']> {
  const orUnavailable = (state: Promise<IntegrationState>) => state.catch(() => 'unavailable' as const)
  const [provider, lookups, assistant, callbacks] = await Promise.all([
    signIn ? signIn() : ('not_configured' as const),
    orUnavailable(lookupState(services)),
    orUnavailable(assistantState(services, avatar)),
    orUnavailable(callbackState(services)),
  ])
  return { signIn: provider, lookups, avatar: assistant, callbacks }
}

/** A unit with exhausted quota does not degrade the service. Overdue runs do: no worker takes them, and sends wait. */
function statusOf({
  database,
  temporal,
  adapters,
  integrations,
  runs,
  parked,
}: Omit<Health, 'status' | 'sending' | 'failedSends'>): Health['status'] {
  if (database === 'down' || !runs || !parked) return 'down'
  const failing = [...Object.values(adapters), ...Object.values(integrations)].some(
    (state) => state === 'unavailable' || state === 'misconfigured',
  )
  const { provider, provider_quota, unknown_recipients, internal } = parked
  const waiting = runs.overdue + runs.wedged + provider + provider_quota + unknown_recipients + internal > 0
  return temporal !== 'ok' || failing || waiting ? 'degraded' : 'ok'
}

function remember<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  let until = 0
  return () => {
    if (answer && performance.now() < until) return answer
    until = performance.now() + cacheMs
    answer = ask()
    return answer
  }
}
