import { pino } from 'pino'
import { expect, it } from 'vitest'
import { startSignIn } from '../../fixtures/sign-in.ts'
import { Browser } from '../../fixtures/sign-in-browser.ts'
import { forFile } from '../../harness/for-file.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })

const here = forFile(() => startSignIn({ log }))

it('shows why a sign-in was rejected, without personal data and without the tokens', async () => {
  const email = 'canary@elsewhere.example'
  const secrets = [email]
  for (const signature of ['true', 'forged', 'none'] as const) {
    here.identity.lies.signature = signature
    here.identity.lies.claims = { email, name: 'Canary' }
    const browser = new Browser()
    const url = await here.comingBack(browser, email)
    await browser.ask(url)
    const { code, state } = Object.fromEntries(new URL(url).searchParams)
    secrets.push(code!, state!, browser.cookie('hub_sign_in')!)
  }
  const all = lines.join('')
  const refusals = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'Sign-in rejected')
  expect(refusals).toMatchObject([
    { code: 'forbidden', details: { reason: 'unverified' } },
    { code: 'invalid_credential', details: { reason: expect.stringMatching(/^OAUTH_/) } },
    { code: 'invalid_credential', details: { reason: expect.stringMatching(/^OAUTH_/) } },
  ])
  for (const secret of [...secrets, 'Canary']) expect(all).not.toContain(secret)
})
