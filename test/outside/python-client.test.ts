import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { findPython, pythonCommands, run } from './python/environment.ts'
import { type Served, serveForOutsiders } from './serve.ts'

const python = findPython()
const folder = join(import.meta.dirname, 'python')

describe.skipIf(!python)('a Python client generated from /openapi.json', () => {
  let commands: string
  let served: Served
  beforeAll(async () => {
    commands = await pythonCommands(python!)
    served = await serveForOutsiders()
  })
  afterAll(() => served?.stop())

  it('leaves nothing out, and works', async () => {
    const place = inject('scratch')
    const description = join(place, 'openapi.json')
    writeFileSync(description, await (await fetch(`${served.url}/openapi.json`)).text())
    const made = await run(
      join(commands, 'openapi-python-client'),
      [
        ...['generate', '--path', description, '--output-path', join(place, 'carillon_client')],
        ...['--meta', 'none', '--config', join(folder, 'generator.yaml'), '--fail-on-warning'],
      ],
      { env: { PATH: `${commands}:${process.env.PATH}` } },
    )
    expect(made.code, made.output).toBe(0)

    const { keys, sessions } = served.api
    const { code, output } = await run(
      join(commands, 'python'),
      [join(folder, 'use.py'), served.url, keys.a, keys.administrative, sessions.approver],
      { env: { PYTHONPATH: place, PYTHONDONTWRITEBYTECODE: '1' } },
    )
    expect(code, output).toBe(0)
    expect(JSON.parse(output)).toEqual({
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
      added: { added: 2, removed: 0, unknown: 0 },
      imported: 'waiting',
    })
  })
})
