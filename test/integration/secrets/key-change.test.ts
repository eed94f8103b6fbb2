import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LinkSigner, linkSigner } from '../../../src/channels/email/links.ts'
import { addressHasher, sealHashKey } from '../../../src/services/address-hash.ts'
import { createCallback, rotateCallback } from '../../../src/services/callbacks/change.ts'
import { testCallback } from '../../../src/services/callbacks/test.ts'
import { openOutbound } from '../../../src/services/outbound/outbound.ts'
import { secretBoxOf } from '../../../src/services/secret-box.ts'
import { deriveKey } from '../../../src/signing.ts'
import { openReceiver } from '../../fixtures/callback-receiver.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { createSubmitted, makeMessageFixture } from '../../fixtures/message-fixture.ts'
import { insertRow, selectRow } from '../../fixtures/rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'
import { spawnProcess } from '../../harness/spawn.ts'

const [oldKey, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const onlyOld = { SECRETS_KEY: oldKey }
const both = { SECRETS_KEY: oldKey, SECRETS_KEYS_ACCEPTED: newKey }
const changed = { SECRETS_KEY: newKey, SECRETS_KEYS_ACCEPTED: oldKey }
const onlyNew = { SECRETS_KEY: newKey }

let recipient: { waveId: string; subjectId: string }
const outbound = openOutbound({ allow: [{ host: '127.0.0.1', port: '*' }] })
const database = forFile(freshDatabase)
const fixture = forFile(() => makeMessageFixture(database.db))
beforeAll(async () => {
  Object.assign(fixture.services, { secrets: boxOf(onlyOld), outbound })
  const messageId = await createSubmitted(fixture)
  const { id: waveId } = await insertRow(fixture.db, 'wave', { message_id: messageId, month: '2026-11-01' })
  const { id: subjectId } = await fixture.db.selectFrom('subject').select('id').executeTakeFirstOrThrow()
  recipient = { waveId, subjectId }
})
afterAll(async () => {
  await outbound.close()
})

type Keys = { SECRETS_KEY: string; SECRETS_KEYS_ACCEPTED?: string }

function boxOf({ SECRETS_KEY, SECRETS_KEYS_ACCEPTED: accepted }: Keys) {
  return secretBoxOf({ SECRETS_KEY, SECRETS_KEYS_ACCEPTED: accepted ? [accepted] : [] })!
}

const signerOf = (key: string): LinkSigner => linkSigner(deriveKey('links', key))
const tokens = () =>
  [oldKey, newKey].map((key) => signerOf(key).sign(recipient, [{ purpose: 'unsubscribe' }])[0]!)

/** What an API process with these keys answers to links of the old and the new key. */
async function linksAt(keys: Keys): Promise<number[]> {
  const environment = { DATABASE_URL: database.url, TEMPORAL_ADDRESS: '127.0.0.1:1', PORT: '0', ...keys }
  const api = await spawnProcess('api', ['src/server.ts'], environment)
  await api.logged(/Server listening at/)
  const [, url] = /Server listening at (http:[^"]+)/.exec(api.log())!
  const answers = await Promise.all(tokens().map((token) => fetch(`${url}/l/${token}`)))
  await api.stop()
  return answers.map(({ status }) => status)
}

const carillon = (keys: Keys, ...args: string[]) =>
  runCarillon({ DATABASE_URL: database.url, ...keys }, ...args)

it('links of both keys work in all processes while the keys are changed, step by step', async () => {
  expect(await linksAt(onlyOld)).toEqual([200, 404])
  expect(await Promise.all([linksAt(both), linksAt(changed)])).toEqual([
    [200, 200],
    [200, 200],
  ])
  expect(await linksAt(onlyNew)).toEqual([404, 200])
})

it('carillon secrets reseal seals everything with the new key, and what was sealed means the same', async () => {
  const { db, producer } = fixture
  const receiver = await openReceiver()
  await sealHashKey(db, boxOf(onlyOld))
  const hashBefore = (await addressHasher(db, boxOf(onlyOld)))('email', 'person@example.edu')
  const rotated = await createCallback(fixture.services, producer, { url: receiver.url })
  const { secret } = await rotateCallback(fixture.services, producer, rotated.id)
  const withoutId = await createCallback(fixture.services, producer, { url: receiver.url })
  const row = await selectRow(db, 'callback', { id: withoutId.id }, ['secret'])
  await db
    .updateTable('callback')
    .set({ secret: row.secret.subarray(3) }) // as before secrets named their key
    .where('id', '=', withoutId.id)
    .execute()

  const early = await carillon(onlyNew, '--json', 'secrets', 'reseal')
  expect([early.code, JSON.parse(early.out).resealed]).toEqual([1, 0])
  expect(JSON.parse(early.out).unreadable).toEqual([rotated.id, rotated.id, withoutId.id, 'address hash key'])
  expect((await carillon(changed, 'doctor')).err).toContain('4 secrets are sealed with an earlier key')
  const resealed = await carillon(changed, '--json', 'secrets', 'reseal')
  expect([resealed.code, JSON.parse(resealed.out)]).toEqual([0, { resealed: 4, current: 0, unreadable: [] }])
  expect(JSON.parse((await carillon(onlyNew, '--json', 'secrets', 'reseal')).out)).toEqual({
    resealed: 0,
    current: 4,
    unreadable: [],
  })
  expect((await carillon(onlyNew, 'doctor')).err).toBe('')
  expect((await carillon(onlyOld, 'doctor')).err).toContain('No key opens the secrets of 3')

  const services = { ...fixture.services, secrets: boxOf(onlyNew) }
  expect((await addressHasher(db, services.secrets))('email', 'person@example.edu')).toEqual(hashBefore)
  for (const { id } of [rotated, withoutId]) await testCallback(services, producer, id)
  const [first, second] = receiver.received
  const accepts = (secret: string, { body, headers }: NonNullable<typeof first>) =>
    new Webhook(secret).verify(body, headers as Record<string, string>)
  expect(() => accepts(secret, first!)).not.toThrow()
  expect(() => accepts(withoutId.secret, second!)).not.toThrow()
  const { old_secret: stillSigns } = await selectRow(db, 'callback', { id: rotated.id }, ['old_secret'])
  expect(services.secrets.open(stillSigns!, `callback of unit ${fixture.unit.id}`)).toBe(rotated.secret)
})

it('carillon secrets reseal needs a key', async () => {
  const { code, err } = await runCarillon({ DATABASE_URL: database.url }, 'secrets', 'reseal')
  expect([code, err]).toEqual([2, expect.stringContaining('Set SECRETS_KEY')])
})
