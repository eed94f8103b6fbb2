import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openJournal } from '../../../dev/journal.ts'
import type { JournalItem } from '../../../dev/simulator/journal.ts'
import { alice, bob, simulator, temporaryDir } from '../../fixtures/simulator.ts'
import { callsTo, hello, type Page, token } from '../../fixtures/simulator-calls.ts'

const item: Omit<JournalItem, 'seq' | 'at'> = {
  endpoint: 'push',
  status: 200,
  to: [alice],
  messages: [hello],
  retryKey: null,
  replyToken: null,
  requestId: randomUUID(),
}

/** The simulator as a process, and its address. */
async function simulatorProcess(dir: string) {
  const child = spawn(process.execPath, ['dev/simulator/main.ts'], {
    env: { ...process.env, SIMULATOR_PORT: '0', SIMULATOR_DIR: dir, CHAT_CHANNEL_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout), 'line')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return (await once(child, 'exit'))[0] as number | null
  }
  return { ...callsTo(String(line).split(' ').at(-1)!), end }
}

describe('the journal', () => {
  it('holds every sending call as it came in', async () => {
    const { push, multicast, journal } = await simulator()
    const retryKey = randomUUID()
    await push(alice, retryKey, [hello])
    await multicast([alice, bob])
    expect(await journal()).toMatchObject([
      { seq: 1, endpoint: 'push', status: 200, to: [alice], messages: [hello], retryKey, replyToken: null },
      { seq: 2, endpoint: 'multicast', status: 200, to: [alice, bob], messages: [hello], retryKey: null },
    ])
    expect(Date.parse((await journal())[0]!.at)).toBeGreaterThan(Date.now() - 60_000)
  })

  it('is read in pages of 1,000, from any item on', async () => {
    const dir = await temporaryDir()
    const ownJournal = await openJournal<JournalItem>(dir, () => {})
    for (let sent = 0; sent < 1_150; sent += 1) ownJournal.append(item)
    ownJournal.close()
    const { url, journal } = await simulator({ dir })
    const page = async (since: number) =>
      (await (await fetch(`${url}/journal?since=${since}`)).json()) as Page
    const first = await page(0)
    expect([first.items.length, first.next]).toEqual([1_000, 1_000])
    expect((await page(1_000)).items.map(({ seq }) => seq)[0]).toBe(1_001)
    expect(await page(1_149)).toMatchObject({ items: [{ seq: 1_150 }], next: 1_150 })
    expect(await page(1_150)).toEqual({ items: [], next: 1_150 })
    expect((await journal()).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 1_150 }, (_, index) => index + 1),
    )
  })

  it('restores retry keys and the month after a restart, without a torn last line', async () => {
    const dir = await temporaryDir()
    const key = randomUUID()
    const before = await simulator({ dir })
    await before.push(alice, key)
    await before.stop()
    await appendFile(join(dir, 'journal.jsonl'), '{"seq":2,"at":"20')

    const after = await simulator({ dir, monthlyLimit: 2 })
    expect((await after.push(alice, key)).status).toBe(409)
    expect((await after.push(alice)).status).toBe(200)
    expect((await after.push(alice)).status).toBe(429)
    expect((await after.journal()).map(({ seq, status }) => [seq, status])).toEqual([
      [1, 200],
      [2, 409],
      [3, 200],
      [4, 429],
    ])
  })
})

describe('the process', () => {
  it('loses no answered call to kill -9, and remembers its retry key', async () => {
    const dir = await temporaryDir()
    const key = randomUUID()
    const before = await simulatorProcess(dir)
    expect((await before.push(alice, key)).status).toBe(200)
    await before.end('SIGKILL')

    const after = await simulatorProcess(dir)
    expect((await after.push(alice, key)).status).toBe(409)
    expect(await after.journal()).toHaveLength(2)
    expect(await after.end('SIGTERM')).toBe(0)
  })
})
