import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { variables } from '../../../src/config/settings.ts'
import { readConfig } from '../../../src/config.ts'

const root = resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(resolve(root, file), 'utf8')
const text = read('docker-compose.yml')
type Service = {
  image: string
  build?: string
  depends_on?: Record<string, { condition: string }>
  profiles?: string[]
  user?: string
  command?: string[]
  entrypoint?: string[]
  environment?: Record<string, string | number>
  env_file?: { path: string; required: boolean }[]
  ports?: string[]
  volumes?: string[]
  restart: string
  healthcheck?: { test: string[] }
  cap_drop: string[]
  security_opt: string[]
  read_only: boolean
  mem_limit: string
}
const services = Object.entries<Service>(parse(text, { merge: true }).services)
const ours = services.filter(([, { image }]) => image === 'carillon')
const service = (name: string) => services.find(([one]) => one === name)![1]

/** The text that a value of the file has if .env is empty; a default may hold another, and the inner one comes first. */
function unset(value: string | number): string {
  const text = String(value).replace(/\$\{[A-Z_]+:-([^${}]*)\}/g, '$1')
  return text === String(value) ? text : unset(text)
}

let secrets: string
beforeAll(() => {
  secrets = mkdtempSync(join(tmpdir(), 'carillon-secrets-'))
  copyFileSync(resolve(root, 'deploy/make-secrets.sh'), join(secrets, 'make-secrets.sh'))
  execFileSync('sh', [join(secrets, 'make-secrets.sh')])
})
afterAll(() => rmSync(secrets, { recursive: true }))

/** The folder of secrets that a service mounts, as make-secrets.sh has filled it. */
function secretsOf({ volumes = [] }: Service): string | undefined {
  const folders = volumes.flatMap(
    (one) => /^\.\/deploy\/secrets\/(\w+):\/run\/secrets:ro$/.exec(one)?.[1] ?? [],
  )
  return folders[0] && join(secrets, 'secrets', folders[0])
}

/** The schema of Compose files (github.com/compose-spec), in the form that zod reads. */
function composeSchema(): z.ZodType {
  const schema = read('node_modules/dclint/schemas/compose.schema.json')
  const inDefs = schema.replaceAll('#/definitions/', '#/$defs/').replace('"definitions":', '"$defs":')
  const { $schema: _, ...draft } = JSON.parse(inDefs)
  return z.fromJSONSchema(draft)
}

describe('docker-compose.yml', () => {
  it('is what Compose takes, and a misspelt key would not be', () => {
    const file = parse(text, { merge: true })
    expect(composeSchema().safeParse(file).error?.issues).toBeUndefined()
    const misspelt = { ...file, services: { ...file.services, proxy: { ...file.services.proxy, port: [] } } }
    expect(composeSchema().safeParse(misspelt).success).toBe(false)
  })

  it('reads every setting of .env.example', () => {
    const named = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!))
    for (const [name, one] of ours) {
      if (name === 'migrate') continue
      expect(one.env_file, name).toEqual([{ path: '.env', required: false }])
      const fixed = Object.entries(one.environment!).filter(
        ([own, value]) => !String(value).includes(`\${${own}`),
      )
      expect(
        fixed.map(([own]) => own).filter((own) => !named.has(own)),
        name,
      ).toEqual([])
    }
  })

  it('asks .env for settings, and for nothing else', () => {
    const names = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!))
    expect([...names].filter((name) => !variables.includes(name))).toEqual([])
  })

  it.each(ours)('gives %s existing settings and an existing command', (_, { environment, ...one }) => {
    expect(Object.keys(environment!).filter((name) => !variables.includes(name))).toEqual([])
    const [node, ...args] = (one.entrypoint ?? one.command)!
    expect(node).toBe('node')
    expect(existsSync(resolve(root, args.find((arg) => !arg.startsWith('--'))!))).toBe(true)
  })

  it.each(ours)('starts %s with an empty .env and the secrets of make-secrets.sh', (_, one) => {
    const values = Object.entries(one.environment!).map(([name, value]) => {
      const file = unset(value)
      return [name, name.endsWith('_FILE') && file ? join(secretsOf(one)!, basename(file)) : file]
    })
    const config = readConfig({ NODE_ENV: 'production', ...Object.fromEntries(values) })
    const role = one === service('migrate') ? 'carillon_owner' : 'carillon_app'
    expect(new URL(config.DATABASE_URL).username).toBe(role)
    expect(config.CHAT_CHANNEL_TOKEN).toBeUndefined()
    if (one !== service('migrate')) expect(config.SMTP_HOST).toBe('mail-catcher')
  })

  it('mounts every secret that is read, and gives those of the owner to migrate alone', () => {
    const scripts = (folder: string) =>
      readdirSync(resolve(root, folder)).map((file) => read(`${folder}/${file}`))
    const files = {
      postgres: [JSON.stringify(service('postgres')), ...scripts('deploy/postgres')],
      temporal: [JSON.stringify(service('temporal')), ...scripts('deploy/temporal')],
    }
    for (const [name, texts] of Object.entries(files)) {
      const named = texts.flatMap((one) =>
        [...one.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, file]) => file!),
      )
      expect(named).not.toEqual([])
      const there = readdirSync(join(secrets, 'secrets', name))
      expect(named.filter((file) => !there.includes(file))).toEqual([])
    }
    const mounting = (folder: string) =>
      services.flatMap(([name, one]) => (secretsOf(one)?.endsWith(folder) ? [name] : []))
    expect(mounting('/owner')).toEqual(['migrate'])
    expect(mounting('/postgres')).toEqual(['postgres'])
    expect(mounting('/temporal')).toEqual(['temporal-schema', 'temporal'])
  })

  it('has one build for the image of all processes', () => {
    expect(ours.length).toBeGreaterThan(4)
    expect(services.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['migrate'])
  })

  it('starts nothing with a command of an operator, so that looking at an installation does not change it', () => {
    expect(service('cli').depends_on).toEqual({})
  })

  it('archives the log of Postgres with a script that it mounts, to a folder of make-secrets.sh', () => {
    const { command, volumes } = service('postgres')
    const [, script] = /archive_command=sh \/etc\/carillon\/(\S+) %p %f/.exec(command!.join(' '))!
    expect(volumes).toContain('./deploy/postgres:/etc/carillon:ro')
    expect(existsSync(resolve(root, 'deploy/postgres', script!))).toBe(true)
    expect(volumes).toContain('./deploy/backups/postgres:/backups')
    expect(statSync(join(secrets, 'backups')).mode & 0o777).toBe(0o700)
    expect(statSync(join(secrets, 'backups/postgres')).mode & 0o7777).toBe(0o1777)
  })

  it('has a proxy in front of every API process, and no other way to them', () => {
    const apis = ours.filter(([, { command = [] }]) => command.includes('src/server.ts'))
    const proxied = [...read('deploy/haproxy.cfg').matchAll(/^ {2}server (\S+) (\S+)$/gm)]
    expect(proxied.map(([, name, address]) => [name, address])).toEqual(
      apis.map(([name, { environment }]) => [name, `${name}:${environment!.PORT}`]),
    )
    expect(apis.flatMap(([, { ports = [] }]) => ports)).toEqual([])
    expect(service('proxy').ports!.map(unset)).toEqual(['127.0.0.1:3000:3000'])
    expect(read('deploy/haproxy.cfg')).toContain('option httpchk GET /readyz')
    for (const [, { environment }] of apis) expect(unset(environment!.TRUST_PROXY!)).toBe('1')
  })

  it('scrapes every process in the profile observe, with the alerts and the dashboards of deploy', () => {
    const running = ours.filter(([, { restart }]) => restart === 'unless-stopped')
    const scraped = parse(read('deploy/prometheus.yml')).scrape_configs
    expect(scraped).toEqual([{ job_name: 'carillon', static_configs: [{ targets: expect.any(Array) }] }])
    expect(scraped[0].static_configs[0].targets).toEqual(
      running.map(([name, { environment }]) => `${name}:${unset(environment!.METRICS_PORT!)}`),
    )
    const observing = services.filter(([, { profiles }]) => profiles?.includes('observe'))
    expect(observing.map(([name]) => name)).toEqual(['prometheus', 'grafana'])
    for (const [, { volumes, ports }] of observing) {
      const mounted = volumes!.flatMap((one) => /^\.\/(.+?):.*:ro$/.exec(one)?.[1] ?? [])
      expect(mounted.filter((path) => !existsSync(resolve(root, path)))).toEqual([])
      for (const port of ports!) expect(port).toMatch(/^127\.0\.0\.1:/)
    }
    const provisioning = 'deploy/grafana/provisioning'
    const [source] = parse(read(`${provisioning}/datasources/prometheus.yml`)).datasources
    expect(source).toMatchObject({ type: 'prometheus', url: 'http://prometheus:9090' })
    const [provider] = parse(read(`${provisioning}/dashboards/carillon.yml`)).providers
    expect(service('grafana').volumes).toContain(`./deploy/grafana:${provider.options.path}:ro`)
  })

  it('keeps its secrets: a second run of make-secrets.sh changes nothing', () => {
    const all = () => execFileSync('sh', ['-c', 'cat secrets/*/*'], { cwd: secrets, encoding: 'utf8' })
    const before = all()
    execFileSync('sh', [join(secrets, 'make-secrets.sh')])
    expect(all()).toBe(before)
    expect(statSync(join(secrets, 'secrets')).mode & 0o777).toBe(0o700)
  })

  it.each(services)('%s has no privileges, writes nowhere but to /tmp, and has limits', (name, one) => {
    expect(one.cap_drop).toEqual(['ALL'])
    expect(one.security_opt).toEqual(['no-new-privileges:true'])
    expect(one.read_only).toBe(!['temporal', 'temporal-ui'].includes(name))
    expect(one.mem_limit).toMatch(/^\d+[mg]$/)
    if (one.restart === 'unless-stopped') expect(one.healthcheck?.test[0]).toBe('CMD')
  })

  it('names every image by an exact version, and none that sets itself up', () => {
    const images = services.map(([, { image }]) => image).filter((image) => image !== 'carillon')
    for (const image of images) expect(image).toMatch(/^[a-z/-]+:v?\d+\.\d+[\w.-]*$/)
    expect(images.filter((image) => image.includes('auto-setup'))).toEqual([])
  })

  it('has fewer connections than Postgres allows, for each role and together', () => {
    const roles = read('deploy/postgres/roles.sql')
    const limitOf = (role: string) =>
      Number(new RegExp(`create role ${role} login connection limit (\\d+);`).exec(roles)![1])
    const processes = ours.filter(([, { restart }]) => restart === 'unless-stopped')
    const pools = processes.map(([, { environment }]) => Number(unset(environment!.DB_POOL_SIZE!)))
    const pooled = pools.reduce((sum, size) => sum + size, 0)
    // Each connection may be checked on a second one for a moment; the command line has two.
    expect(pooled + pools.length + 2).toBeLessThanOrEqual(limitOf('carillon_app'))
    const { SQL_MAX_CONNS, SQL_VIS_MAX_CONNS } = service('temporal').environment!
    expect(4 * (Number(SQL_MAX_CONNS) + Number(SQL_VIS_MAX_CONNS))).toBeLessThanOrEqual(limitOf('temporal'))
    const all = ['carillon_owner', 'carillon_app', 'temporal'].reduce((sum, role) => sum + limitOf(role), 0)
    const [, most] = /max_connections=(\d+)/.exec(service('postgres').command!.join(' '))!
    const reserved = 3 // for superusers
    expect(all + reserved).toBeLessThanOrEqual(Number(most))
  })
})

describe('Dockerfile', () => {
  const lines = readFileSync(resolve(root, 'Dockerfile'), 'utf8').split('\n')

  it('copies and runs existing files', () => {
    const copied = lines.flatMap((line) => /^COPY (?!--from)(.*) \S+$/.exec(line)?.[1]?.split(' ') ?? [])
    const run = lines.flatMap((line) => /^RUN node (\S+)|^CMD \["node", "(\S+)"\]/.exec(line)?.slice(1) ?? [])
    const missing = [...copied, ...run.filter(Boolean)].filter((path) => !existsSync(resolve(root, path)))
    expect(missing).toEqual([])
    expect(copied.length).toBeGreaterThan(3)
  })

  it('has what the API serves: the pages with their changelogs, and the packed client library', () => {
    const [, image = ''] = lines
      .join('\n')
      .split(/^FROM [\w.:-]+\n/gm)
      .slice(-2)
    for (const path of ['docs/api', 'CHANGELOG.md', 'client', '--from=client /carillon/dist/client'])
      expect(image).toMatch(new RegExp(`^COPY ${path} `, 'm'))
  })
})
