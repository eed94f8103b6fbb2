import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { type CallerName, credentialsOf } from '../integration/api/matrix/callers.ts'
import { countsOf, patient } from '../integration/faults/counts.ts'
import { recordMeasurement } from '../integration/faults/world/measurements.ts'
import { findPython, pythonCommands, run } from './python/environment.ts'
import { type Served, serveForOutsiders } from './serve.ts'

/** The fuzzer sends about the same requests each time. */
const seed = 20_261_122

/** Whose requests it makes: credentials of different reach, and none. */
const outsiders = [
  'administrativeKey',
  'key',
  'author',
  'systemAdmin',
  'nobody',
] as const satisfies CallerName[]

/**
 * The checks that do not hold, and why. `positive_data_acceptance`: rules between fields (one of templateId and
 * messages), references that must exist and cursors are beyond what a schema says.
 * `ensure_resource_availability`: what one person creates in a unit, not every caller may read.
 * `object_level_authorization` needs two callers in one run; test/integration/api/matrix.test.ts has all of them.
 */
const excluded = ['positive_data_acceptance', 'ensure_resource_availability', 'object_level_authorization']

const python = findPython()
const Report = z.object({
  complete: z.boolean(),
  operations: z.object({ tested: z.number() }),
  test_cases: z.object({ generated: z.number(), with_failures: z.number(), errored: z.number() }),
  failures: z.array(z.object({ title: z.string(), operations: z.array(z.string()) })),
  errors: z.array(z.object({ title: z.string() })),
})

/** Health checks are about how fast it makes up requests, which a busy machine slows down. */
const quietly = ['--no-shrink', '--output-truncate', 'false', '--suppress-health-check', 'all']

/** Sessions end with their sign-out, and everything after it would be 401. */
const endsSession = 'signOut'

describe.skipIf(!python)('an outside fuzzer, from the served description', patient, () => {
  const { 'examples each': examples } = countsOf('fuzzer')
  let commands: string
  let served: Served
  const totals = { requests: 0, findings: 0 }
  beforeAll(async () => {
    commands = await pythonCommands(python!)
    served = await serveForOutsiders()
  })
  afterAll(() => served?.stop())

  it.each(outsiders)('finds nothing as %s', async (who) => {
    const folder = join(inject('scratch'), `fuzzer-${who}`)
    mkdirSync(folder)
    const { key, session } = await (await credentialsOf(served.api))[who]()
    writeFileSync(join(folder, 'schemathesis.toml'), settings({ key, session }))
    const report = join(folder, 'report.json')
    const { output } = await run(
      join(commands, 'schemathesis'),
      [
        ...['--no-color', 'run', `${served.url}/openapi.json`, '--url', served.url],
        ...['--checks', 'all', '--exclude-checks', excluded.join(','), '--continue-on-failure'],
        ...['--max-examples', String(examples), '--seed', String(seed), '--generation-database', 'none'],
        ...['--exclude-operation-id', endsSession, ...quietly],
        ...['--report', 'json', '--report-json-path', report],
      ],
      { cwd: folder },
    )
    const { complete, failures, errors, test_cases, operations } = Report.parse(
      JSON.parse(readFileSync(report, 'utf8')),
    )
    totals.requests += test_cases.generated
    totals.findings += failures.length + errors.length
    expect({ complete, failures, errors }, output).toEqual({ complete: true, failures: [], errors: [] })
    expect(operations.tested, output).toBeGreaterThan(90)
  })

  it('and the API has logged no error', () => {
    const lines = served.log().split('\n')
    expect(lines.filter((line) => line.includes('"level":50') || line.includes('"level":60'))).toEqual([])
    recordMeasurement(
      'fuzzer',
      `${totals.requests} requests by ${outsiders.length} callers, Python ${python}; ${totals.findings} findings`,
    )
  })
})

/** Its configuration: the credential by security scheme, so that it can tell requests with it from those without. */
function settings({ key, session }: { key?: string; session?: string }): string {
  const schemes = [
    ...(key ? [`[auth.openapi.producer]\nbearer = "${key}"`] : []),
    ...(session ? [`[auth.openapi.session]\napi_key = "${session}"`] : []),
  ]
  return [`hooks = "${join(import.meta.dirname, 'python/hooks.py')}"`, ...schemes].join('\n')
}
