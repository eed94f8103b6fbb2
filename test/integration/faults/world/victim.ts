import { openRoute, type Route } from '../../../harness/route.ts'
import type { Api, Env, Installation } from './installation.ts'
import type { Seams } from './seams.ts'

/** An API process that will be killed, and its routes to Postgres and Temporal. */
export type Victim = { api: Api; toPostgres: Route; toTemporal: Route; kill(): Promise<void> }

/** Starts an API process that the seams hold, with routes to its servers that can be cut. */
export async function startVictim(installation: Installation, seams: Seams, env: Env = {}): Promise<Victim> {
  const toPostgres = await openRoute(portOf(installation.databaseUrl))
  const toTemporal = await openRoute(portOf(`tcp://${installation.temporal.address}`))
  const api = await installation.startApi({
    DATABASE_URL: seams.through(installation.databaseUrl, toPostgres.port),
    TEMPORAL_ADDRESS: `127.0.0.1:${toTemporal.port}`,
    ...env,
  })
  const kill = async () => {
    api.process.signal('SIGKILL')
    await api.process.exited
    await seams.abandon()
    await Promise.all([toPostgres.close(), toTemporal.close()])
  }
  return { api, toPostgres, toTemporal, kill }
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}
