import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { temporaryDir } from '../../fixtures/simulator.ts'
import { eventually } from '../../harness/eventually.ts'
import { type Spawned, spawnCommand } from '../../harness/spawn.ts'
import { type Installation, startInstallation } from '../faults/world/installation.ts'
import { expectInvariants } from '../faults/world/invariants.ts'
import { insertCrowd } from '../faults/world/people.ts'
import { call } from '../faults/world/producer.ts'
import { untilSent } from '../faults/world/wait-for.ts'

const root = resolve(import.meta.dirname, '../../..')
/** Of a caller, between two calls. */
const pauseMs = 20

const hasProxy = spawnSync('haproxy', ['-v']).status === 0

/** deploy/haproxy.cfg, for processes of this machine: ports in place of containers, and no DNS of Docker's. */
function proxyConfig(ports: { front: number; stats: number; apis: Record<string, number> }): string {
  const config = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8')
    .replace('bind :3000', `bind 127.0.0.1:${ports.front}`)
    .replace('127.0.0.1:8404', `127.0.0.1:${ports.stats}`)
    .replace(/^resolvers docker\n(?: .*\n)+/m, '')
    .replace(' resolvers docker init-addr last,libc,none', '')
  return Object.entries(ports.apis).reduce(
    (text, [name, port]) => text.replace(`server ${name} ${name}:3000`, `server ${name} 127.0.0.1:${port}`),
    config,
  )
}

/** The services of docker-compose.yml as processes, and what `docker` does to them. */
async function services(installation: Installation) {
  const ports = {
    ...{ front: await freePort(), stats: await freePort() },
    apis: { 'api-1': await freePort(), 'api-2': await freePort() },
  }
  const start = async (name: string): Promise<Spawned> => {
    if (name.startsWith('worker')) return installation.startWorker()
    const port = String(ports.apis[name as keyof typeof ports.apis])
    const api = await installation.startApi({ PORT: port, RATE_LIMIT_PER_MINUTE: '0', TRUST_PROXY: '1' })
    await eventually(async () => expect((await fetch(`${api.url}/readyz`)).status).toBe(200))
    return api.process
  }
  const names = ['worker-1', 'worker-2', 'api-1', 'api-2']
  const running = new Map<string, Spawned>()
  for (const name of names) running.set(name, await start(name))

  const file = join(await temporaryDir(), 'haproxy.cfg')
  writeFileSync(file, proxyConfig(ports))
  const proxy = await spawnCommand('haproxy', 'haproxy', ['-db', '-f', file], { PATH: process.env.PATH! })
  installation.closeAtEnd(() => proxy.stop())
  const front = `http://127.0.0.1:${ports.front}`
  const stats = async () => (await fetch(`http://127.0.0.1:${ports.stats}/stats;csv`)).text()
  await eventually(async () => expect((await stats()).match(/^api,api-\d.*,UP,/gm)).toHaveLength(2))

  const replaced: string[] = []
  const database = {
    DATABASE_URL: installation.databaseUrl,
    TEMPORAL_ADDRESS: installation.temporal.address,
    TEMPORAL_NAMESPACE: installation.temporal.namespace,
  }
  const carillon = async (...args: string[]) => {
    const { code, out, err } = await runCarillon(database, ...args)
    return { code, out: `${out}${err}` }
  }
  async function docker(args: string[]): Promise<{ code: number; out: string }> {
    const line = args.join(' ')
    if (line.includes('{{.Health}}')) return { code: 0, out: 'healthy\n' }
    if (line.endsWith('cli.ts doctor')) return carillon('doctor')
    if (line.endsWith('cli doctor --settings')) return carillon('doctor', '--settings')
    if (line.endsWith('migrate') && line.includes('run')) return carillon('migrate')
    if (line.includes('wget')) return { code: 0, out: await stats() }
    const [, name] = /^compose up -d --no-deps --wait .*(api-\d|worker-\d)$/.exec(line) ?? []
    if (name !== undefined) {
      await running.get(name)!.stop()
      running.set(name, await start(name))
      replaced.push(name)
    }
    return { code: 0, out: '' }
  }
  return { front, docker, replaced }
}

/** Runs deploy/upgrade.sh with a `docker` of the test's. */
async function upgrade(docker: (args: string[]) => Promise<{ code: number; out: string }>) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.end(JSON.stringify(await docker(JSON.parse(Buffer.concat(chunks).toString()))))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const bin = await temporaryDir()
  mkdirSync(bin, { recursive: true })
  const command = `#!/bin/sh\nexec ${process.execPath} ${join(import.meta.dirname, 'docker.mjs')} "$@"\n`
  writeFileSync(join(bin, 'docker'), command)
  chmodSync(join(bin, 'docker'), 0o755)
  const { port } = server.address() as AddressInfo
  const env = { PATH: `${bin}:${process.env.PATH}`, DOCKER: `http://127.0.0.1:${port}` }
  return new Promise<{ code: number; out: string }>((done) =>
    execFile('sh', [join(root, 'deploy/upgrade.sh')], { env }, (error, out, err) =>
      done({ code: Number(error?.code ?? 0), out: `${out}${err}` }),
    ),
  )
}

it.skipIf(!hasProxy)(
  'replaces every process under traffic without a failed request or a person left out',
  async () => {
    const installation = await startInstallation()
    onTestFinished(() => installation.close())
    const { front, docker, replaced } = await services(installation)

    const answers = new Map<string, number>()
    let over = false
    const caller = async (path: string) => {
      const headers = { authorization: `Bearer ${installation.credentials.key}` }
      while (!over) {
        const { status, failure } = await call(`${front}${path}`, { method: 'GET', headers })
        const answer = failure ?? String(status)
        answers.set(answer, (answers.get(answer) ?? 0) + 1)
        await pause(pauseMs)
      }
    }
    const callers = ['/v1/messages?limit=1', '/v1/categories', '/v1/health'].map(caller)
    const api = await installation.startApi()
    const message = await api.send(installation.plan(await insertCrowd(installation.db, 300)))

    const { code, out } = await upgrade(docker)
    over = true
    await Promise.all(callers)
    expect(code, out).toBe(0)
    expect(replaced).toEqual(['worker-1', 'worker-2', 'api-1', 'api-2'])
    console.info(`answers during the upgrade: ${JSON.stringify(Object.fromEntries(answers))}`)
    expect([...answers.keys()]).toEqual(['200'])
    await untilSent(installation, [message])
    await expectInvariants(installation)
  },
)
