import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { startSignIn } from '../../fixtures/sign-in.ts'
import { Browser } from '../../fixtures/sign-in-browser.ts'

/** The cookies that a sign-in and a sign-out set and clear, by name, with their attributes. */
async function cookiesOf(publicUrl?: string): Promise<Record<string, string[]>> {
  const here = await startSignIn(publicUrl === undefined ? {} : { publicUrl })
  try {
    const browser = new Browser({ origin: publicUrl ?? here.baseUrl })
    const cookies: [string, string][] = []
    const ask = async (url: string, init?: RequestInit) => {
      const step = await browser.ask(url, init)
      for (const line of step.response.headers.getSetCookie()) {
        const [pair, ...attributes] = line.split('; ')
        const timeless = attributes.filter((each) => !/^(Max-Age|Expires)=/.test(each))
        cookies.push([pair!.split('=')[0]!, timeless.sort().join('; ')])
      }
      return step
    }
    const begun = await ask(`${here.baseUrl}/v1/auth/login`)
    const form = await browser.open(begun.response.headers.get('location')!)
    const back = await browser.submit(
      form,
      { login: 'approver@example.org', password: 'x' },
      '/v1/auth/callback',
    )
    await ask(back.url)
    const token = browser.cookie('hub_session')
    expect(token).toBeDefined()
    await ask(`${here.baseUrl}/v1/auth/logout`, { method: 'POST' })
    expect(browser.cookie('hub_session')).toBeUndefined()
    return Object.fromEntries(
      [...Map.groupBy(cookies, ([name]) => name)].map(([name, lines]) => [
        name,
        lines.map(([, line]) => line),
      ]),
    )
  } finally {
    await here.close()
  }
}

it('over https, every cookie is for this host alone, and goes back over https only', async () => {
  const alone = 'HttpOnly; Path=/; SameSite=Lax; Secure'
  expect(await cookiesOf('https://hub.example.edu')).toEqual({
    '__Host-hub_sign_in': [alone],
    hub_session: [alone, alone],
  })
})

it('over http, as in development, the same without Secure, which browsers would not send back', async () => {
  const alone = 'HttpOnly; Path=/; SameSite=Lax'
  expect(await cookiesOf()).toEqual({ hub_sign_in: [alone], hub_session: [alone, alone] })
})

it('no other place sets or clears a cookie', () => {
  const src = resolve(import.meta.dirname, '../../../src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const setting = files.filter((name) =>
    /setCookie|clearCookie|set-cookie|cookieSerialize|serializeCookie/i.test(
      readFileSync(join(src, name), 'utf8'),
    ),
  )
  expect(setting).toEqual(['api/auth/cookies.ts'])
})
