import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')

/** Stands in for Docker: writes down what it is asked, and answers as a healthy installation does. */
const docker = `#!/bin/sh
printf '%s\\n' "$*" >> "$CALLS"
case "$*" in *"$FAILS"*) exit 7 ;; esac
case "$*" in
  *'{{.Health}}'*) echo "$HEALTH" ;;
  *'ps --quiet '*) echo container ;;
  inspect*) echo sha256:old ;;
  *stats*) printf '# pxname,svname\\n'
    for api in api-1 api-2; do printf 'api,%s,0,0,0,0,,0,0,0,,0,,0,0,0,0,%s,1\\n' $api "$STATUS"; done ;;
esac
`

type UpgradeOptions = { fails?: string; health?: string; status?: string; args?: string[] }

/** Runs deploy/upgrade.sh in a copy of its folder. */
async function upgrade({
  fails = 'nothing',
  health = 'healthy',
  status = 'UP',
  args = [],
}: UpgradeOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-upgrade-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true })
  for (const [name, script] of Object.entries({ docker, sleep: '#!/bin/sh\n' })) {
    writeFileSync(join(folder, name), script)
    chmodSync(join(folder, name), 0o755)
  }
  const calls = join(folder, 'calls')
  writeFileSync(calls, '')
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    CALLS: calls,
    FAILS: fails,
    HEALTH: health,
    STATUS: status,
  }
  const { code, err } = await new Promise<{ code: number; err: string }>((done) =>
    execFile('sh', [join(folder, 'deploy/upgrade.sh'), ...args], { env }, (error, _, err) =>
      done({ code: Number(error?.code ?? 0), err }),
    ),
  )
  return { code, err, calls: readFileSync(calls, 'utf8').split('\n').filter(Boolean) }
}

const doctor = 'compose exec -T api-1 node src/cli.ts doctor'
const checks = [
  'compose config --quiet',
  ...['api-1', 'api-2', 'worker-1', 'worker-2', 'proxy'].map(
    (one) => `compose ps --format {{.Health}} ${one}`,
  ),
  doctor,
]
const keep = [
  'compose ps --quiet api-2',
  'inspect --format {{.Image}} container',
  'tag sha256:old carillon:before',
]
const settings = 'compose run --rm --no-deps -T cli doctor --settings'
const backup = 'compose exec -T postgres sh /etc/carillon/base-backup.sh 7'
const migrate = 'compose run --rm --no-deps -T migrate'
const replace = (one: string) => `compose up -d --no-deps --wait --wait-timeout 180 ${one}`
const stats = 'compose exec -T proxy wget -qO- http://127.0.0.1:8404/stats;csv'
const replaced = [
  ...[replace('worker-1'), replace('worker-2')],
  ...[replace('api-1'), stats, replace('api-2'), stats],
]

it('checks, backs up, migrates, and replaces one process after the other', async () => {
  expect(await upgrade()).toEqual({
    code: 0,
    err: '',
    calls: [...checks, ...keep, 'compose build migrate', settings, backup, migrate, ...replaced, doctor],
  })
})

it('takes an image that is named, and no backup where Postgres is elsewhere', async () => {
  const image = 'registry.example.edu/carillon:1.2.0'
  const { code, calls } = await upgrade({ args: ['--no-backup', image] })
  expect(code).toBe(0)
  const got = [`pull ${image}`, `tag ${image} carillon`]
  expect(calls).toEqual([...checks, ...keep, ...got, settings, migrate, ...replaced, doctor])
})

it('asks nothing of Docker for an option that it does not know', async () => {
  const { code, err, calls } = await upgrade({ args: ['--force'] })
  expect(code).toBe(2)
  expect(err).toContain('Usage')
  expect(calls).toEqual([])
})

it.each([
  [doctor, 'Nothing has changed'],
  ['compose build migrate', 'The old release goes on running'],
  [settings, 'The old release goes on running'],
  [backup, 'The old release goes on running'],
  [migrate, 'The old release goes on running'],
  [replace('worker-1'), 'go back'],
  [replace('api-1'), 'go back'],
])('stops where %s fails, and says what that leaves', async (fails, words) => {
  const { code, err, calls } = await upgrade({ fails })
  expect(code).not.toBe(0)
  expect(calls.at(-1)).toBe(fails)
  expect(err).toContain(words)
})

it('begins nothing while a process is not healthy', async () => {
  const { code, err, calls } = await upgrade({ health: 'starting' })
  expect(code).toBe(1)
  expect(calls).toHaveLength(2)
  expect(err).toContain('api-1 is not healthy')
})

it('leaves the second API process alone until the proxy sends requests to the first', async () => {
  const { code, err, calls } = await upgrade({ status: 'DOWN' })
  expect(code).toBe(1)
  expect(calls.at(-1)).toBe(stats)
  expect(calls).not.toContain(replace('api-2'))
  expect(err).toContain('does not send requests to api-1')
})
