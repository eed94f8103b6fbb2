import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { freePort } from '../../../dev/ports.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { mailbox } from '../../fixtures/mailbox.ts'
import { simulator } from '../../fixtures/simulator.ts'
import { token } from '../../fixtures/simulator-calls.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)

type Check = { name: string; state: string; text: string }

async function doctor(env: Record<string, string>): Promise<{ code: number; checks: Record<string, Check> }> {
  const settings = { DATABASE_URL: database.url, TEMPORAL_ADDRESS: inject('temporalAddress'), ...env }
  const { code, out, err } = await runCarillon(settings, '--json', 'doctor', '--settings')
  expect(err).toBe('')
  const checks = JSON.parse(out) as Check[]
  return { code, checks: Object.fromEntries(checks.map((check) => [check.name, check])) }
}

/** An identity provider's metadata. */
async function provider(): Promise<string> {
  const server = createServer((_request, response) => {
    const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer, ...endpoints }))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address!.port : 0}`
  return issuer
}

it('tries each connection, and says what it leads to', async () => {
  const chat = await simulator()
  const mail = await mailbox()
  const { code, checks } = await doctor({
    CHAT_BASE_URL: chat.url,
    CHAT_CHANNEL_TOKEN: token,
    ...{
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(mail.port),
      SMTP_SECURITY: 'none',
      MAIL_FROM: 'a@example.edu',
    },
    ...{ PUBLIC_URL: 'http://127.0.0.1:3000', SECRETS_KEY: randomBytes(32).toString('base64') },
    ...{ OIDC_ISSUER: await provider(), OIDC_CLIENT_ID: 'carillon', OIDC_CLIENT_SECRET: 'secret' },
  })
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
  const [table] = /^\| line \| `FAILED` means \|(?:.*\n)+?\n/m.exec(page)!
  const explained = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names]) => names!.split(', '))
  expect(explained.toSorted()).toEqual(
    Object.keys(checks)
      .map((name) => `\`${name}\``)
      .toSorted(),
  )
  const states = Object.values(checks).map(({ name, state }) => [name, state])
  expect(Object.fromEntries(states)).toEqual({
    postgres: 'ok',
    temporal: 'ok',
    'e-mail': 'ok',
    chat: 'ok',
    'chat-login': 'not_configured',
    'identity-provider': 'ok',
    lookups: 'not_configured',
    avatar: 'not_configured',
    callbacks: 'ok',
  })
  expect(code).toBe(0)
})

it('says in one line what is wrong with each', async () => {
  const nowhere = `127.0.0.1:${await freePort()}`
  const chat = await simulator()
  const endpoint = { origin: 'https://orders.example.edu', key_id: 'gone', created_by: 'operator:cli' }
  await database.db.insertInto('lookup_endpoint').values(endpoint).execute()
  const { code, checks } = await doctor({
    TEMPORAL_NAMESPACE: 'missing',
    CHAT_BASE_URL: chat.url,
    CHAT_CHANNEL_TOKEN: 'wrong',
    ...{
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: nowhere.split(':')[1]!,
      SMTP_SECURITY: 'none',
      MAIL_FROM: 'a@example.edu',
    },
    ...{ PUBLIC_URL: 'http://127.0.0.1:3000', SECRETS_KEY: randomBytes(32).toString('base64') },
    ...{ OIDC_ISSUER: `http://${nowhere}`, OIDC_CLIENT_ID: 'carillon', OIDC_CLIENT_SECRET: 'secret' },
    ...{ CHAT_LOGIN_CHANNEL_ID: '1', CHAT_LOGIN_JWKS_URL: `http://${nowhere}/certs` },
    ...{ EVENT_SIGNING_KEYS: 'new:a secret', AVATAR_UNIT: 'Nobody' },
  })
  expect(code).toBe(1)
  expect(checks.temporal!.text).toContain('namespace missing at')
  expect(checks.temporal!.text).toContain('not found')
  expect(checks.chat!.text).toBe(`${chat.url} rejects these settings (http_401)`)
  expect(checks['e-mail']!.text).toBe(`${nowhere} (none) is not available (no_connection)`)
  expect(checks['identity-provider']!.text).toContain(`http://${nowhere}: `)
  expect(checks.lookups!.text).toContain('https://orders.example.edu: EVENT_SIGNING_KEYS lacks gone')
  expect(checks.avatar!.text).toContain('AVATAR_UNIT names no unit')
  for (const name of ['temporal', 'chat', 'e-mail', 'identity-provider', 'chat-login', 'lookups', 'avatar'])
    expect(checks[name]).toMatchObject({ state: 'failed', text: expect.not.stringContaining('\n') })
  expect(checks.postgres!.state).toBe('ok')
})

it('goes on where the database rejects its role', async () => {
  const url = new URL(database.url)
  url.password = 'wrong'
  url.username = 'nobody'
  const { code, checks } = await doctor({ DATABASE_URL: url.href })
  expect(code).toBe(1)
  expect(checks.postgres!.text).toMatch(/^The database rejected the command: .*nobody/)
  expect(checks.temporal!.state).toBe('ok')
})
