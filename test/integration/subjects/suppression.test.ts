import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { adapters } from '../../../src/channels/index.ts'
import { addressHasher, sealHashKey } from '../../../src/services/address-hash.ts'
import { writeNextChunk } from '../../../src/services/imports/write-chunk.ts'
import { secretBox } from '../../../src/services/secret-box.ts'
import { bindAddress } from '../../../src/services/subjects/addresses.ts'
import { deriveKey } from '../../../src/signing.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { completeErasures, placesOf } from '../../fixtures/erasure.ts'
import { importer } from '../../fixtures/import-file.ts'
import { producerPrincipal } from '../../fixtures/message-fixture.ts'
import { newMessage } from '../../fixtures/new-message.ts'
import { selectRows } from '../../fixtures/rows.ts'
import { administratorSession } from '../../fixtures/seed.ts'
import { startWebhookApi } from '../../fixtures/webhooks.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const secretsKey = randomBytes(32).toString('base64')
let admin: { session: string }
const api = forFile(() =>
  startWebhookApi({
    channels: { email: adapters.email },
    secrets: secretBox(deriveKey('secrets', secretsKey)),
  }),
)
beforeAll(async () => {
  admin = { session: await administratorSession(api.database.db) }
})

const { imported } = importer(() => api)

let nth = 0
/** A uid and an address of nobody yet. */
const fresh = () => {
  nth += 1
  return { uid: `person-${nth}`, address: `person-${nth}@example.edu` }
}
const office = () => ({ key: api.keys.administrative, channel: 'email' })
const bind = (uid: string, address: string) =>
  api.call('bindAddress', { ...office(), id: uid, body: { address } })
const unbind = (uid: string) => api.call('unbindAddress', { ...office(), id: uid })

async function tell(event: object): Promise<void> {
  await api.postRaw('email', JSON.stringify({ events: [{ id: `${Math.random()}`, ...event }] }))
  await api.processAll()
}
const complain = (address: string) => tell({ type: 'complaint', address })

/** Whether this person is sent mail: by the subject itself, and by a message that names them. */
async function isSuppressed(uid: string): Promise<boolean> {
  const verdict = (await api.call('getSubject', { ...office(), id: uid })).body.addresses[0].suppressed
  const key = api.keys.individual
  const headers = { 'idempotency-key': `${Math.random()}` }
  const body = { ...newMessage, categoryId: 'mail', audience: { kind: 'individual', uids: [uid] } }
  const { id } = (await api.call('createMessage', { key, headers, body })).body
  const { total, excluded } = (await api.call('dryRunMessage', { key, id })).body.recipients
  expect([total, excluded.blocked]).toEqual(verdict ? [0, 1] : [1, 0])
  return verdict
}

describe('an address that was complained about stays suppressed', () => {
  it('when it is unbound and bound again', async () => {
    const { uid, address } = fresh()
    await bind(uid, address)
    expect(await isSuppressed(uid)).toBe(false)
    await complain(address)
    expect(await isSuppressed(uid)).toBe(true)
    await unbind(uid)
    await bind(uid, address)
    expect(await isSuppressed(uid)).toBe(true)
  })

  it('when it is bound to somebody else, and its first owner has another', async () => {
    const [{ uid, address }, other] = [fresh(), fresh()]
    await bind(uid, address)
    await complain(address)
    await bind(uid, other.address)
    expect(await isSuppressed(uid)).toBe(false)
    expect((await bind(other.uid, address)).status).toBe(200)
    expect(await isSuppressed(other.uid)).toBe(true)
  })

  it.each([
    ['in capitals', (address: string) => address.toUpperCase()],
    ['in quotes', (address: string) => address.replace(/^(.*)@/, '"$1"@')],
  ])('when it is written %s, here or in the complaint', async (_how, spelled) => {
    const [first, second] = [fresh(), fresh()]
    await bind(first.uid, first.address)
    await complain(first.address)
    await unbind(first.uid)
    await bind(first.uid, spelled(first.address))
    expect(await isSuppressed(first.uid)).toBe(true)
    await bind(second.uid, second.address)
    await complain(spelled(second.address))
    expect(await isSuppressed(second.uid)).toBe(true)
  })

  it('when it is imported', async () => {
    const [{ uid, address }, other] = [fresh(), fresh()]
    await bind(uid, address)
    await complain(address)
    await unbind(uid)
    await imported(`uid,email\n${other.uid},${address.toUpperCase()}\n`)
    expect(await isSuppressed(other.uid)).toBe(true)
  })

  it('when its owner is erased; nothing says whose it was', async () => {
    const [{ uid, address }, other] = [fresh(), fresh()]
    await bind(uid, address)
    await complain(address.toUpperCase())
    await api.call('eraseSubject', { ...office(), id: uid })
    await completeErasures(api.database.db)
    expect(await placesOf(api.database.db, address)).toEqual([])
    expect(await placesOf(api.database.db, address.toUpperCase())).toEqual([])
    await bind(other.uid, address)
    expect(await isSuppressed(other.uid)).toBe(true)
  })

  it('when nobody had it at the time', async () => {
    const { uid, address } = fresh()
    await complain(address)
    await bind(uid, address)
    expect(await isSuppressed(uid)).toBe(true)
  })

  it('when it was bound before hashes were stored', async () => {
    const { uid, address } = fresh()
    const { subjectId } = (await bind(uid, address.toUpperCase())).body
    await api.database.db.updateTable('address').set({ hash: null }).execute()
    expect(await isSuppressed(uid)).toBe(false)
    await complain(address)
    expect(await isSuppressed(uid)).toBe(true)
    const trail = await selectRows(api.database.db, 'audit', { object_id: subjectId, action: 'suppress' }, [
      'actor',
      'action',
      'reason',
    ])
    expect(trail).toEqual([{ actor: 'system:mail', action: 'suppress', reason: 'complaint' }])
  })
})

it('a temporary bounce suppresses nothing', async () => {
  const { uid, address } = fresh()
  await bind(uid, address)
  await tell({ type: 'bounce', address, permanent: false })
  expect(await isSuppressed(uid)).toBe(false)
})

it('an e-mail address belongs to one subject, however it is written', async () => {
  const [one, other] = [fresh(), fresh()]
  await bind(one.uid, one.address)
  for (const address of [one.address.toUpperCase(), one.address.replace(/^(.*)@/, '"$1"@')])
    expect((await bind(other.uid, address)).code).toBe('invalid_transition')
  const { rejected, rejectedLines } = await imported(`uid,email\n${other.uid},${one.address.toUpperCase()}\n`)
  expect([rejected, rejectedLines]).toMatchObject([
    1,
    [{ reason: 'must not be the address of another person' }],
  ])
  const third = fresh().uid
  const twice = await imported(
    `uid,email\n${other.uid},${other.address}\n${third},${other.address.toUpperCase()}\n`,
  )
  expect(twice.rejectedLines).toMatchObject([
    { line: 3, reason: 'must not be the address of another person' },
  ])
  expect((await bind(one.uid, one.address.toUpperCase())).status).toBe(200)
})

it('a suppression is part of what is exported', async () => {
  const { uid, address } = fresh()
  await bind(uid, address)
  await complain(address)
  const { records } = (await api.call('exportSubject', { ...office(), id: uid })).body
  expect(records.suppression).toMatchObject([{ channel: 'email', why: 'complaint' }])
})

describe('an administrator', () => {
  const find = (address: string) =>
    api.call('adminFindSuppression', { ...admin, body: { channel: 'email', address } })
  const lift = (address: string, reason = 'They asked for mail again.') =>
    api.call('adminLiftSuppression', { ...admin, body: { channel: 'email', address, reason } })

  it('finds and lifts a suppression with a reason, in any spelling; then mail is sent again', async () => {
    const { uid, address } = fresh()
    await bind(uid, address)
    expect((await find(address)).body).toEqual({ suppression: null })
    expect((await lift(address)).code).toBe('not_found')
    await complain(address)
    const { suppression } = (await find(address.toUpperCase())).body
    expect(suppression).toEqual({ channel: 'email', since: expect.any(String), reason: 'complaint' })
    expect((await lift(address, ' ')).code).toBe('validation_error')
    expect((await lift('nobody')).code).toBe('validation_error')
    expect((await lift(address.toUpperCase())).body).toEqual(suppression)
    expect(await isSuppressed(uid)).toBe(false)
    expect((await lift(address)).code).toBe('not_found')
    await complain(address)
    expect(await isSuppressed(uid)).toBe(true)
  })

  it('is audited, without the address', async () => {
    const { uid, address } = fresh()
    const { subjectId } = (await bind(uid, address)).body
    await complain(address)
    await find(address)
    await lift(address)
    const trail = await api.database.db
      .selectFrom('audit')
      .select(['unit_id', 'action', 'object_id', 'reason', 'details'])
      .where('object_kind', '=', 'address')
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    const hash = (await addressHasher(api.database.db, api.services.secrets))('email', address)
    const about = { unit_id: null, object_id: hash.toString('hex') }
    const lifted = { channel: 'email', why: 'complaint', since: expect.any(String), subjectId }
    expect(trail).toEqual([
      { ...about, action: 'lift', reason: 'They asked for mail again.', details: lifted },
      { ...about, action: 'look_up', reason: null, details: { channel: 'email', found: true } },
    ])
    expect(JSON.stringify(trail)).not.toContain(address)
  })
})

describe('carillon address', () => {
  const carillon = (...args: string[]) =>
    runCarillon({ DATABASE_URL: api.database.url, SECRETS_KEY: secretsKey }, 'address', ...args)

  it('shows and lifts a suppression, and unbinds an address', async () => {
    const { uid, address } = fresh()
    await bind(uid, address)
    await complain(address)
    expect((await carillon('show', address)).out).toMatch(/^Suppressed since 2.*Z \(complaint\)\.\n$/)
    expect(await carillon('lift', address)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--reason'),
    })
    expect(await carillon('lift', address, '--reason', 'asked')).toMatchObject({ code: 0 })
    expect((await carillon('show', address)).out).toBe('Not suppressed.\n')
    expect(await isSuppressed(uid)).toBe(false)
    expect(await carillon('unbind', uid)).toMatchObject({ code: 0 })
    expect((await api.call('getSubject', { ...office(), id: uid })).body.addresses).toEqual([])
  })
})

describe('carillon address, of many at once', () => {
  const carillon = (...args: string[]) =>
    runCarillon({ DATABASE_URL: api.database.url, SECRETS_KEY: secretsKey }, 'address', ...args)

  it('lists and lifts what mail servers had suppressed since an instant, and never complaints', async () => {
    const [bounced, complained] = [fresh(), fresh()]
    const since = new Date().toISOString()
    for (const { uid, address } of [bounced, complained]) await bind(uid, address)
    await tell({ type: 'bounce', address: bounced.address })
    await complain(complained.address)
    const output = await carillon('list', '--since', since, '--json')
    expect(JSON.parse(output.out).items).toMatchObject([
      { why: 'complaint', uid: complained.uid, server: null },
      { why: 'bounce', uid: bounced.uid, server: 'unnamed' },
    ])
    expect(output.out).not.toContain('@')
    const onlyBounces = await carillon('list', '--since', since, '--why', 'bounce', '--json')
    expect(JSON.parse(onlyBounces.out).items).toMatchObject([{ uid: bounced.uid }])
    expect(await carillon('lift', '--since', since)).toMatchObject({ code: 2 })
    expect(await carillon('lift', 'a@b.org', '--since', since, '--reason', 'x')).toMatchObject({ code: 2 })
    expect(await carillon('lift', '--since', 'yesterday', '--reason', 'x')).toMatchObject({ code: 2 })
    expect(await carillon('lift', '--since', since, '--why', 'complaint', '--reason', 'x')).toMatchObject({
      code: 2,
    })
    const lifted = await carillon('lift', '--since', since, '--reason', 'the directory was down')
    expect(lifted).toMatchObject({ code: 0, out: 'Lifted: 1.\n' })
    expect([await isSuppressed(bounced.uid), await isSuppressed(complained.uid)]).toEqual([false, true])
  })
})

describe('the key of the hashes', () => {
  const environment = () => ({ DATABASE_URL: api.database.url })

  it('is sealed by carillon migrate, once, and what was suppressed before stays so', async () => {
    const { uid, address } = fresh()
    await bind(uid, address)
    await complain(address)
    const before = (await addressHasher(api.database.db, undefined))('email', address)
    const migrated = await runCarillon({ ...environment(), SECRETS_KEY: secretsKey }, 'migrate')
    expect(migrated).toMatchObject({ code: 0 })
    expect(await sealHashKey(api.database.db, api.services.secrets!)).toBe(false)
    await unbind(uid)
    await bind(uid, address.toUpperCase())
    expect(await isSuppressed(uid)).toBe(true)
    expect((await addressHasher(api.database.db, api.services.secrets))('email', address)).toEqual(before)
  })

  it('is needed to import: without it, carillon import leaves the writing to the workers', async () => {
    const [{ uid, address }, folder] = [fresh(), mkdtempSync(join(tmpdir(), 'import-'))]
    const file = join(folder, 'people.csv')
    writeFileSync(file, `uid,email\n${uid},${address}\n`)
    const command = runCarillon(environment(), '--json', 'import', file)
    await eventually(async () => expect(await writeNextChunk(api.services)).toBe(true))
    const { code, out, err } = await command
    rmSync(folder, { recursive: true })
    expect([code, JSON.parse(out).written]).toEqual([0, 1])
    expect(err).toContain('Without the SECRETS_KEY of the workers')
    expect(await isSuppressed(uid)).toBe(false)
  })

  it('is not opened without SECRETS_KEY, or with another one', async () => {
    const { address } = fresh()
    const other = { ...environment(), SECRETS_KEY: randomBytes(32).toString('base64') }
    for (const [env, advice] of [
      [environment(), 'Set SECRETS_KEY'],
      [other, 'SECRETS_KEY does not open'],
    ] as const)
      expect(await runCarillon(env, 'address', 'show', address)).toMatchObject({
        code: 1,
        err: expect.stringContaining(advice),
      })
    const doctor = await runCarillon(environment(), 'doctor')
    expect(doctor.err).toContain(
      'warning: Addresses are compared with suppressed ones by a key that SECRETS_KEY opens',
    )
    const { uid } = fresh()
    const { secrets: _, ...services } = api.services
    const person = { ...producerPrincipal(api.units.a), unitKind: 'administrative' as const }
    const bound = bindAddress(services, person, { uid, channel: 'email' }, { address }, async () => [])
    await expect(bound).rejects.toMatchObject({ code: 'not_configured' })
  })
})
