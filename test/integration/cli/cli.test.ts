import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { findCredential } from '../../../src/db/queries/identity/key.ts'
import { findSessionPrincipal } from '../../../src/db/queries/identity/session.ts'
import { sha256 } from '../../../src/signing.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { seedCategory } from '../../fixtures/seed.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const fresh = forFile(freshDatabase)

/** Runs `carillon <args>` as a person does. */
const carillon = (...args: string[]) => runCarillon({ DATABASE_URL: fresh.url }, ...args)

async function json<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await carillon('--json', ...args)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as T
}

function personOf(email: string) {
  return fresh.db
    .selectFrom('person')
    .select(['name', 'notices', 'handoff_notices', 'language', 'subject_uid'])
    .where('email', '=', email)
    .executeTakeFirst()
}

describe('carillon on the command line', () => {
  it('migrates, and reports if there is nothing to do', async () => {
    expect(await carillon('migrate')).toMatchObject({ code: 0, out: 'The schema is up to date.\n' })
  })

  it('creates a unit, its members, keys and sessions, and audits all of it', async () => {
    const unit = await json<{ id: string }>('unit', 'create', '教務處', '--kind', 'administrative')
    const add = ['member', 'add', '教務處', 'Lin@example.edu', '--role', 'editor', 'approver']
    const nameless = await carillon(...add)
    expect(nameless).toMatchObject({ code: 2, err: expect.stringContaining('--name') })
    const member = await json<{ personId: string }>(...add, '--name', '林佳蓉')

    const { token } = await json<{ token: string }>('session', 'create', 'lin@example.edu')
    expect((await findSessionPrincipal(fresh.db, sha256(token)))!.principal).toEqual({
      kind: 'person',
      personId: member.personId,
      systemAdmin: false,
      memberships: [{ unitId: unit.id, roles: ['approver', 'editor'] }],
    })

    const create = ['key', 'create', unit.id, 'LMS', '--categories', 'a,b', '--dimensions', 'roles']
    expect(await carillon(...create)).toMatchObject({ code: 3, err: expect.stringContaining('category a') })
    for (const id of ['a', 'b']) await seedCategory(fresh.db, id)
    const key = await json<{ id: string; key: string }>(...create)
    const credential = await findCredential(fresh.db, key.id)
    expect(credential).toMatchObject({
      secretHash: sha256(key.key.split('_')[2]!),
      revoked: false,
      principal: {
        unitId: unit.id,
        unitKind: 'administrative',
        categories: ['a', 'b'],
        dimensions: ['roles'],
        individualTargeting: false,
        groupWriting: false,
        handoffReply: false,
      },
    })
    const rights = ['--individual-targeting', '--group-writing', '--handoff-reply']
    const wider = await json<{ id: string }>('key', 'create', unit.id, 'CRM', ...rights)
    expect((await findCredential(fresh.db, wider.id))!.principal).toMatchObject({
      individualTargeting: true,
      groupWriting: true,
      handoffReply: true,
    })
    await json('key', 'revoke', wider.id)
    expect(await carillon('key', 'revoke', key.id)).toMatchObject({ code: 0 })
    expect(await findCredential(fresh.db, key.id)).toMatchObject({ revoked: true })
    expect(await carillon('key', 'revoke', key.id)).toMatchObject({
      code: 3,
      err: expect.stringContaining(`No active key ${key.id}: it does not exist or has been revoked.`),
    })
    expect((await carillon('key', 'list', '教務處')).out).toMatch(new RegExp(`${key.id} {2}revoked .*LMS\n$`))

    const trail = await fresh.db
      .selectFrom('audit')
      .select(['actor', 'action', 'object_kind'])
      .orderBy('id')
      .execute()
    expect(trail.map(({ action, object_kind }) => `${action} ${object_kind}`)).toEqual([
      'create unit',
      'create person',
      'add member',
      'create session',
      'create key',
      'create key',
      'revoke key',
      'revoke key',
    ])
    expect(new Set(trail.map(({ actor }) => actor))).toEqual(new Set(['operator:cli']))
  })

  it('sets what is given, and keeps what is not', async () => {
    const add = ['member', 'add', '教務處', 'lin@example.edu', '--role', 'editor']
    await json(...add, '--notices', 'off', '--handoff-notices', 'off', '--language', 'en', '--uid', 's1')
    const { id } = await fresh.db.selectFrom('unit').select('id').executeTakeFirstOrThrow()
    await json(...add.with(2, id.toUpperCase()))
    const lin = {
      ...{ name: '林佳蓉', notices: false, handoff_notices: false },
      ...{ language: 'en', subject_uid: 's1' },
    }
    expect(await personOf('lin@example.edu')).toEqual(lin)
  })

  it('removes roles, and creates no unit twice', async () => {
    const remove = ['member', 'remove', '教務處', 'lin@example.edu', '--role', 'approver']
    expect(await json(...remove)).toMatchObject({ roles: ['editor'] })
    expect(await carillon(...remove.with(3, 'nobody@example.edu'))).toMatchObject({ code: 3 })
    const twice = await carillon('unit', 'create', '教務處')
    expect(twice).toMatchObject({
      code: 1,
      err: expect.stringContaining('must not be the name of another unit'),
    })
    expect(await carillon('unit', 'create', 'x', '--time-zone', 'Mars')).toMatchObject({ code: 2 })
  })

  it('stores no secret in clear text', async () => {
    const { key } = await json<{ key: string }>('key', 'create', '教務處', 'Secret')
    const { token } = await json<{ token: string }>('session', 'create', 'lin@example.edu')
    const rows = await Promise.all([
      fresh.db.selectFrom('producer_key').selectAll().execute(),
      fresh.db.selectFrom('session').selectAll().execute(),
      fresh.db.selectFrom('audit').selectAll().execute(),
    ])
    const stored = JSON.stringify(rows)
    expect(stored).not.toContain(key.split('_')[2])
    expect(stored).not.toContain(token)
  })

  it('sets limits, never below what is used', async () => {
    await json('quota', 'set', '教務處', '500')
    await json('quota', 'set', 'pool', '100', '--month', '2031-01')
    const ledger = () =>
      fresh.db
        .selectFrom('quota_ledger')
        .select(['scope', 'month', 'monthly_limit'])
        .orderBy('month')
        .execute()
    expect(await ledger()).toMatchObject([
      { monthly_limit: 500 },
      { scope: 'pool', month: '2031-01-01', monthly_limit: 100 },
    ])
    await fresh.db.updateTable('quota_ledger').set({ reserved: 60 }).execute()
    expect(await carillon('quota', 'set', 'pool', '59', '--month', '2031-01')).toMatchObject({
      code: 1,
      err: expect.stringContaining('60'),
    })
    await fresh.db.updateTable('quota_ledger').set({ reserved: 0 }).execute()
  })

  it('creates categories and topics', async () => {
    const category = ['category', 'create', 'news', '--zh', '公告', '--auto', '100', '--mode', 'all']
    category.push('--channels', 'email,chat')
    category.push('--quiet', '22:00-07:00', '--cap', '3/7', '--on-unknown', 'repeat')
    await json(...category)
    expect(await carillon(...category)).toMatchObject({ code: 1 })
    expect((await carillon('category', 'list')).out).toMatch(/^news +enabled +service +auto 100 +0 s +公告$/m)
    const news = fresh.db.selectFrom('category').selectAll().where('id', '=', 'news')
    expect(await news.executeTakeFirst()).toMatchObject({
      approval_rule: 'auto',
      auto_max_recipients: 100,
      channel_plan: { mode: 'all', channels: ['email', 'chat'] },
      quiet_hours: { from: '22:00', to: '07:00' },
      frequency_cap: { messages: 3, days: 7 },
      on_unknown: 'repeat',
    })
    for (const wrong of [
      ['--quiet', '25:00-07:00'],
      ['--quiet', '7'],
      ['--cap', '3'],
      ['--channels', 'fax'],
    ])
      expect(await carillon(...category, ...wrong)).toMatchObject({ code: 2 })
    const held = ['--hold-seconds', '300', '--acknowledge-zh', '收到 {label}', '--no-enabled']
    await json('category', 'create', 'held', '--zh', '待發', ...held)
    const { items } = await json<{ items: object[] }>('category', 'list')
    expect(items).toContainEqual(
      expect.objectContaining({
        id: 'held',
        channelPlan: { mode: 'first_available', channels: ['chat'] },
        holdSeconds: 300,
        acknowledgement: { 'zh-TW': '收到 {label}' },
        enabled: false,
      }),
    )
    const { id } = await json<{ id: string }>('topic', 'create', '教務處', '--zh', '社團')
    expect(await fresh.db.selectFrom('topic').select('id').executeTakeFirst()).toEqual({ id })
  })

  it('edits the given fields of a category, and takes away rules', async () => {
    const edit = (...args: string[]) => json<object>('category', 'edit', 'news', ...args)
    const before = await edit('--hold-seconds', '120')
    expect(before).toMatchObject({
      name: { 'zh-TW': '公告' },
      channelPlan: { mode: 'all', channels: ['email', 'chat'] },
      quietHours: { from: '22:00', to: '07:00' },
      holdSeconds: 120,
    })
    const flags = ['--no-quiet', '--no-cap', '--no-auto', '--no-acknowledge', '--no-enabled']
    const rules = { quietHours: null, frequencyCap: null, approval_rule: 'manual', acknowledgement: null }
    expect(await edit(...flags)).toEqual({ ...before, ...rules, enabled: false })
    await edit('--consent-scope', 'news-2026', '--enabled', '--zh', '新聞', '--en', 'News')
    expect(await edit('--channels', 'chat', '--mode', 'first_available')).toMatchObject({
      name: { 'zh-TW': '新聞', en: 'News' },
      consentScope: 'news-2026',
      channelPlan: { mode: 'first_available', channels: ['chat'] },
      enabled: true,
    })
    for (const wrong of [
      [],
      ['--hold-seconds', '601'],
      ['--hold-seconds', 'soon'],
      ['--en', 'News'],
      ['--channels', 'chat'],
    ])
      expect(await carillon('category', 'edit', 'news', ...wrong)).toMatchObject({ code: 2 })
    expect(await carillon('category', 'edit', 'gone', '--enabled')).toMatchObject({ code: 3 })
  })

  it('prints its version without any settings', async () => {
    const { version } = JSON.parse(
      readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8'),
    )
    expect(await runCarillon({}, '--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
  })

  it('ends as ever where nobody reads what it prints', async () => {
    const cli = spawn(process.execPath, [resolve(import.meta.dirname, '../../../src/cli.ts'), '--help'])
    cli.stdout.destroy()
    const errors = text(cli.stderr)
    const [code] = await once(cli, 'close')
    expect({ code, errors: await errors }).toEqual({ code: 0, errors: '' })
  })

  it('wakes every open run', async () => {
    expect(await json('reconcile')).toEqual({ woken: 0, byKind: { message: 0, scenario: 0, schedule: 0 } })
    expect(await carillon('reconcile', '--kind', 'scenario')).toMatchObject({
      out: 'Waking 0 open runs: 0 of kind scenario.\n',
    })
    expect(await carillon('reconcile', '--kind', 'campaign')).toMatchObject({ code: 2 })
  })

  it('checks the invariants, and exits with 1 if one is violated', async () => {
    expect(await carillon('doctor')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ok +rows-match-expected /),
    })
    const account = { scope: 'pool', channel: 'chat' as const, month: '2026-01-01' }
    await insertRow(fresh.db, 'quota_ledger', { ...account, monthly_limit: 5, reserved: 3 })
    const { code, out } = await carillon('doctor')
    expect(code).toBe(1)
    expect(out).toMatch(/VIOLATED {2}ledger-matches-reservations .*\n +pool chat 2026-01-01/)
    await fresh.db.deleteFrom('quota_ledger').where('month', '=', account.month).execute()
  })

  it('fails with an error that explains what to do', async () => {
    expect(await carillon('unit', 'frobnicate')).toMatchObject({ code: 2 })
    expect(await carillon('message', 'list', 'x', '--limit', '0')).toMatchObject({ code: 2 })
    expect(await carillon('import', 'nowhere.csv')).toEqual({
      code: 2,
      out: '',
      err: 'carillon: There is no file nowhere.csv. Check the path.\n',
    })
    expect(await carillon('import', 'docs', '--format', 'csv')).toMatchObject({
      code: 2,
      err: 'carillon: docs is not a file.\n',
    })
    expect(await carillon('member', 'add', 'Nowhere', 'x@y', '--role', 'editor')).toMatchObject({
      code: 3,
      err: expect.stringContaining('教務處'),
    })
    expect(await runCarillon({}, 'unit', 'list')).toMatchObject({
      code: 2,
      err: expect.stringContaining('DATABASE_URL'),
    })
    const nobody = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    expect(await runCarillon(nobody, 'unit', 'list')).toMatchObject({
      code: 4,
      err: expect.stringContaining('The database does not respond.'),
    })
  })
})
