import { type Spawned, spawnProcess } from '../../../harness/spawn.ts'
import { type Entry, journalReader } from './journal.ts'

/** The chat provider as a process. */
export type Simulator = {
  url: string
  port: number
  token: string
  process: Spawned
  /** Sets a fault (dev/simulator/faults.ts). */
  fault(fault: object): Promise<void>
  forgetFaults(): Promise<void>
  /** The calls so far, read from disk. */
  journal(): Entry[]
  stop(): Promise<void>
}

const token = 'a-channel-token'

/** Starts a simulator whose journal is in `dir`. */
export async function startSimulator(dir: string): Promise<Simulator> {
  const spawned = await spawnProcess('simulator', ['dev/simulator/main.ts'], {
    SIMULATOR_PORT: '0',
    SIMULATOR_DIR: dir,
    CHAT_CHANNEL_TOKEN: token,
  })
  await spawned.logged(/Chat simulator: /)
  const [, url] = /Chat simulator: (\S+)/.exec(spawned.log())!
  const ask = async (method: string, body?: object) => {
    const response = await fetch(`${url}/faults`, { method, body: body ? JSON.stringify(body) : null })
    if (!response.ok) throw new Error(`The simulator answers ${response.status}: ${await response.text()}`)
    await response.body?.cancel()
  }
  return {
    ...{ url: url!, port: Number(new URL(url!).port), token, process: spawned },
    fault: (fault) => ask('POST', fault),
    forgetFaults: () => ask('DELETE'),
    journal: journalReader(dir),
    stop: () => spawned.stop(),
  }
}

/** A fault's `times` for as long as the test lasts. */
export const forever = 1_000_000
