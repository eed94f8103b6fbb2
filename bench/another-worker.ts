import type { Environment } from '../dev/environment.ts'
import { freePort } from '../dev/ports.ts'
import { workerService } from '../dev/services.ts'
import type { Service } from '../dev/supervisor.ts'

/** The nth worker of an installation, with a port of its own for its metrics. */
export async function anotherWorker(environment: Environment, nth: number): Promise<Service> {
  const ports = { ...environment.settings.ports, workerMetrics: await freePort() }
  const service = workerService({ ...environment, settings: { ...environment.settings, ports } })
  return { ...service, name: `worker ${nth}` }
}
