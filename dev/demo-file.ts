import { join } from 'node:path'
import type { Environment } from './environment.ts'
import { writePrivateFile } from './private-file.ts'

/**
 * Writes demo.json to the data folder: addresses, the seeded objects and the process ids. Readable by its owner only,
 * as it contains keys.
 */
export function writeDemoFile(
  { settings, addresses }: Environment,
  demo: object,
  pids: Record<string, number>,
): void {
  const nobody = {
    api: null,
    worker: null,
    temporal: null,
    postgres: null,
    simulator: null,
    mailbox: null,
    signIn: null,
    producer: null,
  }
  const content = { ...addresses, ...demo, pids: { ...nobody, ...pids } }
  const file = join(settings.dataDir, 'demo.json')
  writePrivateFile(file, `${JSON.stringify(content, null, 2)}\n`)
}
