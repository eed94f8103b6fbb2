import { Liquid } from 'liquidjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { advanceRun } from '../../../src/activities/scenario/advance-run.ts'
import { adapters } from '../../../src/channels/index.ts'
import type { Services } from '../../../src/services/context.ts'
import { openThreads, type Threads } from '../../../src/services/rendering/threads.ts'
import { serveApi, startApi } from '../../fixtures/api.ts'
import { createMessage } from '../../fixtures/new-message.ts'
import { renderingOn, sharedThreads } from '../../fixtures/rendering.ts'
import { insertScenario, insertScenarioRun, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { renderingHere } from '../../fixtures/speech.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)
afterEach(() => vi.restoreAllMocks())

const loop = (times: number) => `{% for i in (1..${times}) %}{{ i }}{% endfor %}`
/** About 900 steps: too many to be rendered on a thread that serves. */
const costly = loop(300)

/** What a scenario says, and then ends. */
function saying(text: string) {
  const messages = [{ kind: 'text' as const, text: { 'zh-TW': text } }]
  const nodes = [
    { id: 'say', kind: 'message' as const, messages },
    { id: 'end', kind: 'end' as const },
  ]
  return { nodes, edges: [{ from: 'say', to: 'end' }] }
}

type Serving = Pick<Awaited<ReturnType<typeof serveApi>>, 'call'>
const simulate = ({ call }: Serving, key: string, text: string) =>
  call('simulateContent', {
    key,
    body: { scenario: { name: 'Costly', categoryId: 'news', ...saying(text) } },
  })
const served = (rendering: Services['rendering']) =>
  serveApi(api.database.db, { services: { rendering, channels: adapters } })

describe('a costly text of one unit', () => {
  it('is rendered while the requests of another unit are answered', async () => {
    const order: string[] = []
    const { keys } = api
    const { promise: bothAnswered, resolve: release } = Promise.withResolvers<void>()
    const held: Threads = {
      ...sharedThreads,
      async run(...task) {
        order.push('a begun')
        const rendered = await sharedThreads.run(...task)
        await bothAnswered
        return rendered
      },
    }
    const app = await served(renderingOn(api.database.db, { threads: held }))
    const answer = simulate(app, api.keys.a, costly).then((result) => {
      order.push('a answered')
      return result
    })
    await vi.waitFor(() => expect(order).toEqual(['a begun']), { timeout: 60_000, interval: 5 })
    expect((await createMessage({ ...app, keys }, {}, { key: keys.b })).status).toBe(201)
    expect((await createMessage({ ...app, keys })).status).toBe(201)
    order.push('others answered')
    release()
    expect((await answer).body.ends).toEqual({ state: 'done' })
    expect(order).toEqual(['a begun', 'others answered', 'a answered'])
    await app.app.close()
  })

  it('never meets Liquid on the thread that serves, and says what it would say there', async () => {
    const onThisThread = vi.spyOn(Liquid.prototype, 'renderSync')
    const { body } = await simulate(api, api.keys.a, costly)
    expect(onThisThread).not.toHaveBeenCalled()
    expect(body.says[0].messages[0].text['zh-TW']).toBe(Array.from({ length: 300 }, (_, n) => n + 1).join(''))
    await simulate(api, api.keys.a, '{{ person.displayName }}')
    expect(onThisThread).toHaveBeenCalledTimes(1)
  })

  it('is refused by its steps, and with the same words, on every thread', async () => {
    const template = { messages: saying(loop(9_999)).nodes[0]!.messages!, subject: null }
    const task = { template, variables: [], values: {}, timeZone: 'UTC' }
    const [onThread, here] = await Promise.all([
      renderingOn(api.database.db).run(api.units.a, 'template', task),
      renderingHere.run(api.units.a, 'template', task),
    ])
    expect(onThread.violations[0]?.message.en).toContain('more than the 5,000 steps')
    expect(onThread).toEqual(here)
  })

  it('that stays on its thread for too long is ended; the next one gets a new thread', async () => {
    const threads = openThreads({ capMs: 0, lookMs: 1 })
    const rendering = renderingOn(api.database.db, { threads })
    const { body, status, headers } = await simulate(await served(rendering), api.keys.a, loop(1_600))
    expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'unavailable' })
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    await rendering.close()
  })
})

describe('the steps of a unit', () => {
  const stepsPerMinute = 1_000

  it('are used up by what it renders, not by its requests; another unit has its own', async () => {
    const app = await served(renderingOn(api.database.db, { stepsPerMinute }))
    for (let n = 0; n < 5; n++) expect((await simulate(app, api.keys.a, '{{ subject }}')).status).toBe(200)
    expect((await simulate(app, api.keys.a, costly)).status).toBe(200)
    expect((await simulate(app, api.keys.a, costly)).status).toBe(200)
    const { status, body, headers } = await simulate(app, api.keys.a, costly)
    expect({ status, code: body.error.code }).toEqual({ status: 429, code: 'rate_limited' })
    expect(body.error.message).toContain('1,000 a minute')
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await simulate(app, api.keys.a, '{{ subject }}')).status).toBe(200)
    expect((await simulate(app, api.keys.b, costly)).status).toBe(200)
    await app.services.rendering.close()
  })

  it('are common to all processes', async () => {
    const [one, other] = [1, 2].map(() => renderingOn(api.database.db, { stepsPerMinute }))
    const render = (rendering: Services['rendering'], nth: number) => {
      const { messages } = saying(`${nth} ${costly}`).nodes[0]!
      const template = { messages: messages!, subject: null }
      return rendering.run(api.units.b, 'template', { template, variables: [], values: {}, timeZone: 'UTC' })
    }
    await render(one!, 1)
    await render(one!, 2)
    await one!.close()
    await render(other!, 3)
    await other!.close()
    await expect(render(other!, 4)).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('hold back its runs until there are new ones, while the runs of others go on', async () => {
    const { db } = api.database
    const services = { ...api.services, rendering: renderingOn(db, { stepsPerMinute }) }
    const runOf = async (unitId: string, text: string) => {
      const scenario = await insertScenario(db, { unitId, categoryId: 'news', content: saying(text) })
      return insertScenarioRun(db, { scenario, columns: { node: 'say' } })
    }
    const runs = []
    for (let n = 0; n < 3; n++) runs.push(await runOf(api.units.a, `${n} ${costly}`))
    const steps = []
    for (const run of runs) steps.push(await advanceRun(services, run))
    expect(steps.map((step) => step?.at)).toEqual(['turn', 'turn', 'rendering'])
    const held = await scenarioRunRow(db, runs[2]!)
    expect(held).toMatchObject({ state: 'running', node: 'say', observed_version: held.version })
    expect(held.next_wakeup_at!.getTime()).toBeGreaterThan(Date.now())
    expect(await advanceRun(services, await runOf(api.units.b, costly))).toMatchObject({ at: 'turn' })
  })
})
