import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { bundleWorkflows } from '../../../src/temporal/bundle.ts'
import { title } from '../../fixtures/message-rows.ts'
import { loadHistories, payloadsOf, type RecordedHistory } from '../../histories/load.ts'
import { paths } from '../../histories/paths.ts'
import { saidInScenarios } from '../../histories/scenario-paths.ts'
import { writtenInSchedules } from '../../histories/schedule-paths.ts'

Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter: 'OFF' } } })

const recorded = loadHistories()
const histories = resolve(import.meta.dirname, '../../histories')

/** Changes that would break open runs. At least one history must detect each. */
const mutations: [what: string, from: string, to: string][] = [
  ['a turn that is not said', "case 'turn':", "case 'nothing':"],
  ['a Lookup that is not made', '.lookUp(run.id)', '.lookUp'],
  ['an occurrence that is not made', '.makeOccurrence(run.id)', '.makeOccurrence'],
  ['a step that is left out', '.reserveQuota(run.id)', '.reserveQuota'],
  [
    'a step where there was none',
    '.reserveQuota(run.id)',
    '.reserveQuota(run.id); await run.steps("").resolveAudience(run.id)',
  ],
  ['a timer that was not there', 'if (isLong()', "await waitFor(1, ''); if (isLong()"],
]

describe('recorded histories', () => {
  let code: string
  beforeAll(async () => {
    code = (await bundleWorkflows()).code
  })

  async function replay(bundle: string, { path, history }: RecordedHistory): Promise<void> {
    await Worker.runReplayHistory({ workflowBundle: { code: bundle }, replayName: path }, history, path)
  }

  it('exist for every path', () => {
    const names = Object.values(paths).flatMap(Object.keys)
    expect(recorded.map(({ path }) => path)).toEqual(expect.arrayContaining(names))
  })

  it.each(recorded)('replay with the current code: $path', async (one) => {
    await replay(code, one)
  })

  it.each(mutations)('do not replay with %s', async (_what, from, to) => {
    const mutated = code.replaceAll(from, to)
    expect(mutated).not.toBe(code)
    const outcomes = await Promise.allSettled(recorded.map((one) => replay(mutated, one)))
    expect(outcomes.filter(({ status }) => status === 'rejected')).not.toEqual([])
  })

  it('contain ids, enum values, counts and times, and no text of a message or a conversation', () => {
    const words = recorded.flatMap(({ history }) => payloadsOf(history))
    expect(words.join()).toContain('approved')
    expect(words.join()).toContain('sayTurn')
    const texts = [title, ...saidInScenarios, ...writtenInSchedules]
    expect(words.filter((word) => texts.some((one) => word.includes(one)))).toEqual([])
  })
})

describe('the command that replays one history', () => {
  const replayFile = (file: string) =>
    promisify(execFile)(process.execPath, [join(histories, 'replay.ts'), file])

  it('says how many events replay', async () => {
    const { stdout } = await replayFile(join(histories, 'recorded/cancelled-while-waiting.json'))
    expect(stdout).toMatch(/: \d+ events replay with this code\n$/)
  })

  it('exits with 1 where history and code differ, and says where', async () => {
    const recorded = readFileSync(join(histories, 'recorded/sent.json'), 'utf8')
    const other = join(mkdtempSync(join(inject('scratch'), 'replay-')), 'other.json')
    writeFileSync(other, recorded.replaceAll('"resolveAudience"', '"resolvePeople"'))
    await expect(replayFile(other)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Nondeterminism.*resolveAudience/i),
    })
  })
})

describe('the bundle', () => {
  it('holds no zod and little besides the SDK', async () => {
    const { code } = await bundleWorkflows()
    expect(code).not.toMatch(/node_modules\/zod/)
    expect(code.length).toBeLessThan(2_500_000)
  })
})
