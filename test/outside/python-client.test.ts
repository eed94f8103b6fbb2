import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { chatAddress } from '../fixtures/handoffs.ts'
import { type Ended, findPython, pythonCommands, run } from './python/environment.ts'
import { type Served, serveForOutsiders } from './serve.ts'

const python = findPython()
const folder = join(import.meta.dirname, 'python')

describe.skipIf(!python)('a Python client generated from /openapi.json', () => {
  let commands: string
  let served: Served
  let generation: Ended
  const place = inject('scratch')
  beforeAll(async () => {
    commands = await pythonCommands(python!)
    served = await serveForOutsiders()
    const description = join(place, 'openapi.json')
    writeFileSync(description, await (await fetch(`${served.url}/openapi.json`)).text())
    generation = await run(
      join(commands, 'openapi-python-client'),
      [
        ...['generate', '--path', description, '--output-path', join(place, 'carillon_client')],
        ...['--meta', 'none', '--config', join(folder, 'generator.yaml'), '--fail-on-warning'],
      ],
      { env: { PATH: `${commands}:${process.env.PATH}` } },
    )
  })
  afterAll(() => served?.stop())

  /** What a program of this folder prints. */
  async function use(program: string, ...args: string[]): Promise<unknown> {
    const { code, output } = await run(
      join(commands, 'python'),
      [join(folder, program), served.url, ...args],
      {
        env: { PYTHONPATH: place, PYTHONDONTWRITEBYTECODE: '1' },
      },
    )
    expect(code, output).toBe(0)
    return JSON.parse(output)
  }

  it('leaves nothing out', () => {
    expect(generation.code, generation.output).toBe(0)
  })

  it('works', async () => {
    const { keys, sessions } = served.api
    expect(await use('use.py', keys.a, keys.administrative, sessions.approver)).toEqual({
      recipients: 3,
      state: 'draft',
      content: ['校園開放日', 'uri'],
      listed: true,
      invalid: 'audience.uids: must not be empty',
      violation: 'messages[0].url: https_required',
      early: 'it is draft',
      unknown: 'NotFoundError: No such message. Check the id.',
      approved: { approved: true },
      rejected: { state: 'rejected' },
      added: { added: 2, removed: 0, unknownUids: 0 },
      imported: 'waiting',
    })
  })

  it('walks through the first message of the README', async () => {
    const { api } = served
    const body = { address: chatAddress() }
    await api.call('bindAddress', { key: api.keys.administrative, id: 'walker', body })
    await served.startWorker()
    expect(await use('walk.py', api.keys.individual, api.sessions.approver, 'manual', 'walker')).toEqual({
      created: [true, false, true],
      recipients: 1,
      submitted: 'submitted',
      approved: true,
      state: 'sent',
      sent: 1,
      reached: 1,
    })
  })
})
