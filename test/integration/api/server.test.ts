import { Agent, get } from 'node:http'
import { expect, inject, it } from 'vitest'
import { freshDatabase } from '../../harness/database.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { type Spawned, spawnProcess } from '../../harness/spawn.ts'

const database = forFile(freshDatabase)

async function startServer(env: Record<string, string> = {}): Promise<{ server: Spawned; url: string }> {
  const server = await spawnProcess('api', ['src/server.ts'], {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    PORT: '0',
    ...env,
  })
  await server.logged(/Server listening at/)
  const [, url] = /Server listening at (http:[^"]+)/.exec(server.log())!
  return { server, url: url! }
}

/** Sends one GET on a kept-alive connection; returns its status or the error's code. */
function ask(url: string, agent: Agent): Promise<number | string> {
  return new Promise((resolve) => {
    const request = get(url, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
}

it('listens, is ready, and reports its parts', async () => {
  const { server, url } = await startServer()
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const health = await (await fetch(`${url}/v1/health`)).json()
  expect(health).toMatchObject({ status: 'ok', database: 'ok', temporal: 'ok' })
  await server.stop()
})

it('says that a setting of Temporal is wrong', async () => {
  const { server, url } = await startServer({ TEMPORAL_NAMESPACE: 'nowhere' })
  const health = await (await fetch(`${url}/v1/health`)).json()
  expect(health).toMatchObject({ status: 'degraded', temporal: 'misconfigured' })
  await server.stop()
})

it('ends with 0 on SIGTERM under load, and resets no connection', async () => {
  const { server, url } = await startServer({ RATE_LIMIT_PER_SECOND: '0' })
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const answers = new Map<number | string, number>()
  let gone = false
  const load = Array.from({ length: 20 }, async () => {
    while (!gone) {
      const answer = await ask(`${url}/v1/health`, agent)
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      gone ||= answer === 'ECONNREFUSED'
    }
  })
  await eventually(() => expect(answers.get(200)).toBeGreaterThan(200))
  server.signal('SIGTERM')
  await eventually(async () => expect(await ask(`${url}/readyz`, agent)).toBe(503))
  expect(await server.exited).toMatchObject({ code: 0 })
  await Promise.all(load)
  agent.destroy()
  answers.delete('ECONNREFUSED')
  expect([...answers.keys()]).toEqual([200])
})

it('names every faulty setting, and ends', async () => {
  const server = await spawnProcess('api', ['src/server.ts'], { PORT: 'x', DATABASE_URL: 'mysql://secret' })
  expect(await server.exited).toMatchObject({ code: 1 })
  expect(server.log()).toMatch(/DATABASE_URL[\s\S]*PORT/)
  expect(server.log()).not.toContain('secret')
})
