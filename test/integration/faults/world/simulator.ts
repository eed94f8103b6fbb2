import type { PhoneAction } from '../../../../dev/simulator/phone-actions.ts'
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
  /** Does something on the phone of a person, which is posted to the webhook with a token for a reply. */
  act(address: string, action: PhoneAction): Promise<void>
  /** The calls so far, read from disk. */
  journal(): Entry[]
  stop(): Promise<void>
}

const token = 'a-channel-token'

/** Where the simulator posts what people do on their phones, and the channel secret that signs it. */
export type ChatWebhook = { url: string; secret: string }

/** Starts a simulator whose journal is in `dir`. */
export async function startSimulator(dir: string, webhook?: ChatWebhook): Promise<Simulator> {
  const spawned = await spawnProcess('simulator', ['dev/simulator/main.ts'], {
    SIMULATOR_PORT: '0',
    SIMULATOR_DIR: dir,
    CHAT_CHANNEL_TOKEN: token,
    ...(webhook && { SIMULATOR_WEBHOOK_URL: webhook.url, CHAT_CHANNEL_SECRET: webhook.secret }),
  })
  await spawned.logged(/Chat simulator: /)
  const [, url] = /Chat simulator: (\S+)/.exec(spawned.log())!
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, { method, body: body ? JSON.stringify(body) : null })
    if (!response.ok) throw new Error(`The simulator answers ${response.status}: ${await response.text()}`)
    await response.body?.cancel()
  }
  return {
    ...{ url: url!, port: Number(new URL(url!).port), token, process: spawned },
    fault: (fault) => ask('POST', '/faults', fault),
    forgetFaults: () => ask('DELETE', '/faults'),
    act: (address, action) => ask('POST', `/phones/${address}/actions`, action),
    journal: journalReader(dir),
    stop: () => spawned.stop(),
  }
}

/** A fault's `times` for as long as the test lasts. */
export const forever = 1_000_000
