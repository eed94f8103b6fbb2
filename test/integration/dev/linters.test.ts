import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { describeApi } from '../../../src/contract/openapi/document.ts'

const packages = resolve(import.meta.dirname, '../../../node_modules')
const folder = mkdtempSync(join(tmpdir(), 'carillon-openapi-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'openapi.json'), JSON.stringify(describeApi(endpoints)))

/** Responses may have further fields (docs/api/README.md, Conventions): those of an example are none that are wrong. */
const openResponses = { severity: 'error', allowAdditionalProperties: true }
writeFileSync(
  join(folder, 'redocly.yaml'),
  JSON.stringify({
    extends: ['recommended'],
    rules: {
      'no-invalid-schema-examples': openResponses,
      'no-invalid-media-type-examples': openResponses,
    },
  }),
)
writeFileSync(join(folder, 'spectral.yaml'), JSON.stringify({ extends: ['spectral:oas'] }))

/** Findings that stay, by rule and place: no path changes for a linter. */
const exceptions = [
  // They lead a browser on, and answer nothing else.
  'operation-2xx-response #/paths/~1v1~1auth~1login/get/responses',
  'operation-2xx-response #/paths/~1v1~1auth~1callback/get/responses',
]

const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const execute = promisify(execFile)

/** What a linter prints. It ends with a code of its own where it finds something. */
async function lint(script: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env, maxBuffer: 64 * 1_024 * 1_024 }
  const { stdout } = await execute(
    process.execPath,
    [join(packages, script), 'lint', ...args],
    options,
  ).catch((end: { stdout: string }) => end)
  return stdout
}

it('the description of the API has no finding of Redocly', async () => {
  const args = ['--config', 'redocly.yaml', '--format', 'json', '--max-problems', '1000', 'openapi.json']
  const { problems } = JSON.parse(await lint('@redocly/cli/bin/cli.js', ...args)) as {
    problems: { ruleId: string; location: { pointer: string }[] }[]
  }
  const places = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]!.pointer}`)
  expect(places.sort()).toEqual(exceptions.toSorted())
})

it('the description of the API has no finding of Spectral', async () => {
  const args = ['--quiet', '--ruleset', 'spectral.yaml', '--format', 'json', 'openapi.json']
  expect(JSON.parse(await lint('@stoplight/spectral-cli/dist/index.js', ...args))).toEqual([])
})
