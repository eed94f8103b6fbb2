import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { cacheFolder } from '../../../dev/cache.ts'
import { checkPorts, freePort } from '../../../dev/ports.ts'
import { readSettings, wantedPorts } from '../../../dev/settings.ts'
import { identityOf } from '../../../dev/system-processes.ts'
import { differences, readValues } from '../../fixtures/answers.ts'
import { hasPython } from '../../fixtures/python.ts'
import { eventually } from '../../harness/eventually.ts'
import { type Spawned, spawnProcess } from '../../harness/spawn.ts'
import { examples, paste, pythonExamples, runPython } from './examples.ts'
import { buildTheLoans } from './first-integration.ts'
import { playTheTour } from './play.ts'

const upMs = 60_000
/** The limit only ends a test that hangs. */
const patient = { timeout: 3_600_000 }

interface Demo {
  api: string
  producerKey: string
  simulator: string
  targetingKey: string
  tourScenarioId: string
  subjects: string[]
  sessions: { approver: string }
  pids: Record<'api' | 'worker' | 'temporal' | 'postgres' | 'simulator' | 'mailbox' | 'producer', number>
}

async function newEnvironment(): Promise<Record<string, string> & { CARILLON_DATA_DIR: string }> {
  const settings = Object.values(wantedPorts(readSettings({}))).map(({ setting }) => setting)
  const ports = await Promise.all(settings.map(async (setting) => [setting, String(await freePort())]))
  const folder = join(inject('scratch'), `start-${randomBytes(4).toString('hex')}`)
  // The Temporal server that the test run uses.
  return { ...Object.fromEntries(ports), CARILLON_DATA_DIR: folder, XDG_CACHE_HOME: dirname(cacheFolder()) }
}

async function start(env: Record<string, string>): Promise<Spawned> {
  return spawnProcess('start', ['dev/start.ts'], env)
}

async function untilUp(started: Spawned): Promise<void> {
  await eventually(() => expect(started.log()).toMatch('Carillon is ready'), { limitMs: upMs })
}

function readDemo(env: { CARILLON_DATA_DIR: string }): Demo {
  return JSON.parse(readFileSync(join(env.CARILLON_DATA_DIR, 'demo.json'), 'utf8'))
}

/** The files of a folder that others on the machine may read. */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false })
    return stats && (stats.mode & 0o066) !== 0
  })
}

function expectEnded(pids: number[]): void {
  for (const pid of pids) expect(identityOf(pid)).toBeUndefined()
}

async function expectPagesToBeTrue(dataDir: string): Promise<void> {
  for (const example of examples()) {
    const { calls, refused, printed } = await paste(example, dataDir)
    expect(calls, example.page).toBeGreaterThan(0)
    expect(refused, example.page).toEqual(example.refused)
    const answered = readValues(printed.replaceAll(/^[A-Z].*\n/gm, ''))
    expect(differences(readValues(example.shown), answered), example.page).toEqual([])
  }
}

async function expectPythonToWork(dataDir: string): Promise<void> {
  const { helper, those } = pythonExamples()
  const failed: string[] = []
  for (const example of those) {
    const printed = await runPython(example, helper, dataDir).catch((error: Error) => {
      failed.push(error.message)
    })
    if (printed?.trim() === '') failed.push(`${example.page} prints nothing`)
  }
  expect(failed).toEqual([])
}

const title = 'brings everything up as the pages say, revives what dies, and leaves no process'
it(title, patient, async () => {
  const env = await newEnvironment()
  const started = await start(env)
  await untilUp(started)
  const demo = readDemo(env)
  expect(openToOthers(env.CARILLON_DATA_DIR)).toEqual([])
  const headers = { authorization: `Bearer ${demo.producerKey}` }
  expect((await fetch(`${demo.api}/v1/messages`, { headers })).status).toBe(200)
  const toOne = {
    categoryId: 'alumni-news',
    audience: { kind: 'individual', uids: demo.subjects.slice(0, 1) },
    messages: [{ kind: 'text', text: { 'zh-TW': '您好' } }],
  }
  const created = await fetch(`${demo.api}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demo.targetingKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'to-one',
    },
    body: JSON.stringify(toOne),
  })
  expect(created.status).toBe(201)
  await playTheTour(demo)
  await buildTheLoans({ ...demo, log: started.log(), folder: env.CARILLON_DATA_DIR })
  await expectPagesToBeTrue(env.CARILLON_DATA_DIR)
  if (hasPython()) await expectPythonToWork(env.CARILLON_DATA_DIR)

  process.kill(demo.pids.api, 'SIGKILL')
  await started.logged(/api is ready again/)
  const { pids } = readDemo(env)
  expect(pids.api).not.toBe(demo.pids.api)
  expect((await fetch(`${demo.api}/v1/messages`, { headers })).status).toBe(200)

  started.signal('SIGTERM')
  expect(await started.exited).toEqual({ code: 0, signal: null })
  expectEnded(Object.values(pids))
})

it('removes leftovers of a killed start, and keeps its data', patient, async () => {
  const env = await newEnvironment()
  const killed = await start(env)
  await untilUp(killed)
  const before = readDemo(env)
  killed.signal('SIGKILL')
  await killed.exited

  const started = await start(env)
  await untilUp(started)
  expect(started.log()).toMatch(/stopped processes left by a killed start: .*postgres/)
  expectEnded(Object.values(before.pids))
  const after = readDemo(env)
  const headers = { authorization: `Bearer ${before.producerKey}` }
  expect((await fetch(`${after.api}/v1/messages`, { headers })).status).toBe(200)
  await started.stop()
  expectEnded(Object.values(after.pids))
})

it('names the setting of a busy port, and starts nothing', async () => {
  const env = await newEnvironment()
  const busyPort = new URL(`http://${inject('temporalAddress')}`).port
  const refused = await start({ ...env, PORT: busyPort })
  expect(await refused.exited).toEqual({ code: 1, signal: null })
  expect(refused.log()).toContain(
    `Port ${busyPort} (the API) is used by another process. Set PORT to a free port`,
  )
})

it('stops what it has started if the rest cannot start', async () => {
  const env = await newEnvironment()
  const failed = await start({ ...env, DATABASE_URL: 'postgres://nobody:wrong@127.0.0.1:1/none' })
  expect(await failed.exited).toEqual({ code: 1, signal: null })
  expect(failed.log()).toContain('The database does not respond. Check that it runs, and check DATABASE_URL.')
  expect(failed.log()).toContain('stopping…')
  await checkPorts(wantedPorts(readSettings(env)))
})

it('names the Temporal that does not answer', async () => {
  const nowhere = `127.0.0.1:${await freePort()}`
  const failed = await start({ ...(await newEnvironment()), TEMPORAL_ADDRESS: nowhere })
  expect(await failed.exited).toEqual({ code: 1, signal: null })
  expect(failed.log()).toContain(`Temporal does not answer at TEMPORAL_ADDRESS=${nowhere}`)
})
