import { describe, expect, it } from 'vitest'
import { signIn } from '../../../src/services/identity/sign-in.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { updateRows } from '../../fixtures/rows.ts'
import { startSignIn } from '../../fixtures/sign-in.ts'
import { Browser } from '../../fixtures/sign-in-browser.ts'
import { forFile } from '../../harness/for-file.ts'

const here = forFile(startSignIn)

const approver = 'approver@example.org'

describe('a person who signs in', () => {
  it('is the person of the identity provider, with their units and roles, until the session ends', async () => {
    const browser = new Browser()
    const { url, response } = await here.signIn(browser, approver)
    expect({ url, status: response.status }).toEqual({ url: `${here.baseUrl}/`, status: 200 })
    expect(await here.session(browser)).toEqual({
      person: { id: expect.any(String), name: 'Approver', email: approver },
      units: [{ id: here.api.units.a, name: 'Admissions', roles: ['approver', 'editor'] }],
      systemAdmin: false,
      language: 'zh-TW',
      notices: true,
      authorNotices: ['rejected', 'approved', 'parked', 'failed'],
      handoffNotices: true,
      expiresAt: expect.stringMatching(/Z$/),
    })
  })

  it('returns to the page they wanted', async () => {
    const { url } = await here.signIn(new Browser(), approver, { returnTo: '/docs?x=1', until: '/docs' })
    expect(url).toBe(`${here.baseUrl}/docs?x=1`)
  })

  it.each([
    ['/messages?q=期中考', '/messages?q=%E6%9C%9F%E4%B8%AD%E8%80%83'],
    ['/messages?q=%E6%9C%9F%20%F0%9F%98%80', '/messages?q=%E6%9C%9F%20%F0%9F%98%80'],
    ['/docs?x=é 😀#尾', '/docs?x=%C3%A9%20%F0%9F%98%80#%E5%B0%BE'],
  ])('returns to a page whose address is not ASCII: %s', async (returnTo, address) => {
    const until = `${here.baseUrl}${returnTo.slice(0, 5)}`
    const { response } = await here.signIn(new Browser(), approver, { returnTo, until })
    expect(response.headers.get('location')).toBe(address)
  })

  it('approves a message, and the audit log records it', async () => {
    const { api, baseUrl } = here
    const headers = { 'idempotency-key': 'to approve' }
    const body = { ...newMessage, categoryId: 'manual' }
    const { id } = (await api.call('createMessage', { key: api.keys.a, headers, body })).body
    await api.call('submitMessage', { key: api.keys.a, id })

    const browser = new Browser({ origin: baseUrl, 'sec-fetch-site': 'same-origin' })
    await here.signIn(browser, approver)
    const { person } = await here.session(browser)
    const summary = async () => JSON.parse((await browser.ask(`${baseUrl}/v1/summary`)).text)
    expect(await summary()).toMatchObject({ toApprove: 1 })
    const approved = await browser.ask(`${baseUrl}/v1/messages/${id}/approve`, { method: 'POST' })
    expect(JSON.parse(approved.text)).toEqual({ approved: true })
    expect(await summary()).toMatchObject({ toApprove: 0 })
    const audit = await browser.ask(`${baseUrl}/v1/audit?objectId=${id}&actor=person:${person.id}`)
    expect(JSON.parse(audit.text).items).toMatchObject([
      { action: 'approve', by: { name: 'Approver' }, fromState: 'submitted', toState: 'approved' },
    ])
  })

  it('rejects a message with a reason', async () => {
    const { api, baseUrl } = here
    const headers = { 'idempotency-key': 'to reject' }
    const { id } = (await api.call('createMessage', { key: api.keys.a, headers, body: newMessage })).body
    await api.call('submitMessage', { key: api.keys.a, id })
    const browser = new Browser({ origin: baseUrl })
    await here.signIn(browser, approver)
    const rejected = await browser.ask(`${baseUrl}/v1/messages/${id}/reject`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'The date is wrong.' }),
    })
    expect(JSON.parse(rejected.text)).toEqual({ state: 'rejected' })
  })

  it('may sign in side by side in two tabs', async () => {
    const browser = new Browser()
    const first = await here.comingBack(browser, approver)
    const second = await here.comingBack(browser, approver)
    for (const tab of [first, second]) expect((await browser.ask(tab)).response.status).toBe(302)
  })

  it('may sign in for the first time in ten tabs at once', async () => {
    const { db } = here.api.database
    const account = { issuer: 'https://first.example', subject: 'first', email: 'stranger@example.org' }
    const sessions = await Promise.all(Array.from({ length: 10 }, () => signIn(db, account, undefined)))
    expect(new Set(sessions.map(({ token }) => token)).size).toBe(10)
    const bound = await db.selectFrom('audit').selectAll().where('action', '=', 'bind_account').execute()
    expect(bound.filter(({ actor }) => actor === `person:${bound.at(-1)!.object_id}`)).toHaveLength(1)
  })

  it('is identified by their account from then on, whatever their e-mail address', async () => {
    const email = 'two.units@example.org'
    await here.signIn(new Browser(), email)
    const { db } = here.api.database
    await db.updateTable('person').set({ email: 'renamed@example.org' }).where('email', '=', email).execute()
    const browser = new Browser()
    await here.signIn(browser, email)
    expect(await here.session(browser)).toMatchObject({ person: { email: 'renamed@example.org' } })
  })
})

describe('a session', () => {
  it('is new at each sign-in, and ends the browser’s previous one', async () => {
    const browser = new Browser()
    await here.signIn(browser, approver)
    const before = browser.cookie('hub_session')
    await here.signIn(browser, 'editor@example.org')
    expect(browser.cookie('hub_session')).not.toBe(before)
    const old = await here.api.call('getSession', { session: before! })
    expect(old.code).toBe('invalid_credential')
  })

  it('does not reuse a token planted in the browser', async () => {
    const browser = new Browser()
    browser.cookies.push({ name: 'hub_session', value: 'planted', path: '/' })
    await here.signIn(browser, approver)
    expect(browser.cookie('hub_session')).not.toBe('planted')
    expect(await here.session(browser)).toMatchObject({ person: { email: approver } })
  })

  it('is held by a cookie that scripts and other sites cannot use, and stored hashed', async () => {
    const browser = new Browser()
    const { response } = await browser.ask(await here.comingBack(browser, approver))
    const line = response.headers.getSetCookie().find((one) => one.startsWith('hub_session='))
    expect(line).toMatch(/; Path=\/; Expires=.*; HttpOnly; SameSite=Lax$/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { rows } = await here.api.database.db
      .selectFrom('session')
      .selectAll()
      .execute()
      .then((rows) => ({ rows: JSON.stringify(rows) }))
    expect(rows).not.toContain(browser.cookie('hub_session'))
  })

  it('ends at once on sign-out, also for a copied cookie', async () => {
    const browser = new Browser({ origin: here.baseUrl })
    await here.signIn(browser, approver)
    const token = browser.cookie('hub_session')!
    const out = await browser.ask(`${here.baseUrl}/v1/auth/logout`, {
      method: 'POST',
      headers: { accept: '*/*' },
    })
    expect(JSON.parse(out.text)).toEqual({ signedIn: false })
    expect(out.response.headers.get('clear-site-data')).toBe('"storage"')
    expect(browser.cookie('hub_session')).toBeUndefined()
    expect((await here.api.call('getSession', { session: token })).code).toBe('invalid_credential')
    expect((await here.api.call('getSession')).code).toBe('unauthenticated')
  })

  it('is ended by the button of the start page, which then offers to sign in', async () => {
    const browser = new Browser({ origin: here.baseUrl, 'sec-fetch-site': 'same-origin' })
    const start = await here.signIn(browser, 'editor@example.org')
    expect(start.text).toContain('Editor')
    expect(start.text).toContain('登出時，這個瀏覽器裡已輸入但尚未儲存的內容會一併清除。')
    // Otherwise a browser would send a null origin with its form.
    expect(start.response.headers.get('referrer-policy')).toBe('same-origin')
    const out = await browser.open(`${here.baseUrl}/v1/auth/logout`, { method: 'POST' })
    expect(out.url).toBe(`${here.baseUrl}/`)
    expect(out.text).toContain(`href="${here.baseUrl}/v1/auth/login"`)
  })

  it('expires after two idle hours, and after twelve in any case', async () => {
    const { db } = here.api.database
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    for (const { idle, alive } of [
      { idle: 119, alive: true },
      { idle: 121, alive: false },
    ]) {
      const browser = new Browser()
      await here.signIn(browser, approver)
      await updateRows(db, 'session', {}, { seen_at: ago(idle) })
      expect((await here.session(browser)) !== null).toBe(alive)
      // That call was activity, so the idle time starts over.
      if (alive) expect(await here.session(browser)).not.toBeNull()
    }
    const browser = new Browser()
    await here.signIn(browser, approver)
    const { expiresAt } = await here.session(browser)
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000
    expect(Math.abs(hours - 12)).toBeLessThan(0.1)
    await updateRows(db, 'session', {}, { expires_at: ago(1) })
    expect(await here.session(browser)).toBeNull()
  })
})
