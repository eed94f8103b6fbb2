import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { hasPython } from '../../fixtures/python.ts'
import { eventually } from '../../harness/eventually.ts'
import { phone } from './play.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../../..')

type Program = { file: string; runs: string[]; block: RegExp; loan: string }

/** The programs of docs/api/first-integration.md, and how the page runs them. */
const programs: Program[] = [
  { file: 'loans.mts', runs: [process.execPath], block: /^```ts\n(.*?)^```/ms, loan: 'L-1042' },
  { file: 'loans.py', runs: ['python3'], block: /^```python\n(.*?)^```/ms, loan: 'L-1043' },
]

/** The demo that the programs meet. `log`: what its start printed, with the settings of a program. */
type Met = { api: string; targetingKey: string; sessions: { approver: string }; log: string; folder: string }

/** Builds the loans of the page in each language, as its reader does, up to the answer of a person. */
export async function buildTheLoans(demo: Met): Promise<void> {
  const page = readFileSync(join(root, 'docs/api/first-integration.md'), 'utf8')
  const printed = [...demo.log.matchAll(/^ {2}export (\w+)='(.*)'$/gm)].map(([, name, value]) => [
    name!,
    value!,
  ])
  for (const program of programs)
    if (program.file !== 'loans.py' || hasPython())
      await follow(demo, program, program.block.exec(page)![1]!, Object.fromEntries(printed))
}

async function follow(
  demo: Met,
  { file, runs: [interpreter, ...options], loan }: Program,
  text: string,
  settings: Record<string, string>,
) {
  const cwd = mkdtempSync(join(demo.folder, 'loans-'))
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'))
  writeFileSync(join(cwd, file), text)
  const own: Record<string, string> = { APP_URL: `http://127.0.0.1:${await freePort()}` }
  const env = { PATH: process.env.PATH, PYTHONUTF8: '1', ...settings, ...own }
  const command = async (...words: string[]) =>
    (await run(interpreter!, [...options, file, ...words], { cwd, env })).stdout

  const setUp = await command('setup')
  expect(setUp).toContain('scenario active, binding submitted')
  Object.assign(env, { CARILLON_CALLBACK_SECRET: /SECRET='(.*)'/.exec(setUp)![1]! })
  const api = apiOf(demo)
  const [binding] = (await api('GET', '/v1/event-bindings?limit=1')).items
  await api('POST', `/v1/event-bindings/${binding.id}/approve`)

  const server = spawn(interpreter!, [...options, file], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  server.stdout.on('data', (chunk: Buffer) => {
    output += chunk
  })
  try {
    const people = await fetch(`${settings.PHONES_URL}/people?q=S11200001`)
    const { id, uid } = ((await people.json()) as { items: { id: string; uid: string }[] }).items[0]!
    const held = phone(settings.PHONES_URL!, id)
    expect(JSON.parse(await command('remind', uid, loan))).toMatchObject({
      accepted: true,
      runs: 1,
      duplicate: false,
    })
    await held.sees('續借嗎', loan === 'L-1042' ? 1 : 2)
    await held.tap('續借')
    await held.sees('已續借到 12/24', loan === 'L-1042' ? 1 : 2)
    await eventually(() => {
      const [one, other, ...rest] = output.split('\n')
      // The run asks for its Lookup while the callback of the answer is delivered: neither waits for the other.
      expect(new Set([one, other])).toEqual(new Set([`renews ${loan}`, `${uid} chose yes`]))
      expect(rest).toEqual(['run done', ''])
    })
    expect(JSON.parse(await command('remind', uid, loan))).toMatchObject({ runs: 1, duplicate: true })
  } finally {
    server.kill()
    await api('DELETE', `/v1/event-bindings/${binding.id}`)
  }
}

/** Calls the API as the approver of the demo. */
function apiOf({ api, sessions }: Met) {
  return async (method: string, path: string) => {
    const answer = await fetch(api + path, {
      method,
      headers: { cookie: `hub_session=${sessions.approver}` },
    })
    expect(answer.status, `${method} ${path}`).toBe(200)
    // biome-ignore lint/suspicious/noExplicitAny: the answers of several operations
    return (await answer.json()) as any
  }
}
