import { beforeAll, expect, it } from 'vitest'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from './counts.ts'
import { bindEvents, madeByEvents, sendSignedEvent, setUpEvents, takesEvents } from './world/events.ts'
import { type Api, startInstallation } from './world/installation.ts'
import { expectInvariants } from './world/invariants.ts'
import { recordMeasurement } from './world/measurements.ts'
import { type Crowd, insertCrowd } from './world/people.ts'
import { untilSent } from './world/wait-for.ts'

const keys = {
  old: { keyId: 'desk-2026', secret: 'the secret of 2026' },
  new: { keyId: 'desk-2027', secret: 'the secret of 2027' },
}
const settingOf = (...used: (typeof keys)[keyof typeof keys][]) => ({
  ...takesEvents,
  EVENT_SIGNING_KEYS: used.map(({ keyId, secret }) => `${keyId}:${secret}`).join(','),
})

let crowd: Crowd
let apis: { before: Api; during: Api }
const installation = forFile(startInstallation)
beforeAll(async () => {
  const before = await installation.startApi(settingOf(keys.old))
  await bindEvents(installation, before, await setUpEvents(installation, before))
  apis = { before, during: await installation.startApi(settingOf(keys.old, keys.new)) }
  await installation.startWorker()
  crowd = await insertCrowd(installation.db, 2)
})

const accepted = { status: 202, body: { accepted: true, duplicate: false } }
const duplicate = { status: 202, body: { accepted: true, duplicate: true } }
const refused = { status: 401, body: { error: { code: 'unknown_key' } } }

it('a signing key is changed without losing or repeating an event', patient, async () => {
  const { 'events each': each } = countsOf('signingKeys')
  const { before, during } = apis
  const plan = () => Array.from({ length: each }, () => installation.plan(crowd))
  const [signedOld, signedNew, last] = [plan(), plan(), plan()]
  // Some processes have been restarted with both keys, and the producer has not switched.
  for (const event of signedOld) {
    expect(await sendSignedEvent(before, event, keys.old)).toMatchObject(accepted)
    expect(await sendSignedEvent(during, event, keys.old)).toMatchObject(duplicate)
  }
  // It switches; what a process without the new key refuses changes nothing.
  for (const event of signedNew) {
    expect(await sendSignedEvent(before, event, keys.new)).toMatchObject(refused)
    expect(await sendSignedEvent(during, event, keys.new)).toMatchObject(accepted)
  }
  for (const event of signedOld)
    expect(await sendSignedEvent(during, event, keys.new)).toMatchObject(duplicate)
  // The old key is removed.
  const after = await installation.startApi(settingOf(keys.new))
  for (const event of last) {
    expect(await sendSignedEvent(after, event, keys.old)).toMatchObject(refused)
    expect(await sendSignedEvent(after, event, keys.new)).toMatchObject(accepted)
  }
  for (const event of signedOld)
    expect(await sendSignedEvent(after, event, keys.new)).toMatchObject(duplicate)
  await untilSent(installation, [...signedOld, ...signedNew, ...last])
  expect(await madeByEvents(installation)).toBe(3 * each)
  await expectInvariants(installation)
  recordMeasurement('signingKeys', `${3 * each} events, each one message`)
})
