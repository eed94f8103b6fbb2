import { beforeAll, expect, it } from 'vitest'
import { forFile } from '../../harness/for-file.ts'
import { countsOf, patient } from '../faults/counts.ts'
import { type Api, startInstallation } from '../faults/world/installation.ts'
import { expectInvariants } from '../faults/world/invariants.ts'
import { recordMeasurement } from '../faults/world/measurements.ts'
import { insertCrowd } from '../faults/world/people.ts'
import { untilSent } from '../faults/world/wait-for.ts'

/** The race is to be in the database, not for a connection to it. */
const pool = { DB_POOL_SIZE: '40' }

let apis: [Api, Api]
const installation = forFile(startInstallation)
beforeAll(async () => {
  apis = [await installation.startApi(pool), await installation.startApi(pool)]
  await installation.startWorker()
})

it('of concurrent approvals exactly as many succeed as there is quota for', patient, async () => {
  const { approvals } = countsOf('lastQuota')
  const crowd = await insertCrowd(installation.db, 1)
  const messages = Array.from({ length: approvals }, () => installation.plan(crowd))
  for (const message of messages) {
    await apis[0].patient.create(message)
    await apis[1].patient.submit(message)
  }
  await installation.db
    .updateTable('quota_default')
    .set({ monthly_limit: approvals / 2 })
    .where('scope', '=', installation.unitId)
    .execute()
  const answers = await Promise.all(messages.map((message, n) => apis[n % 2]!.patient.approve(message)))
  const approved = messages.filter((_, n) => answers[n]!.status === 200)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(approved).toHaveLength(approvals / 2)
  for (const { status, body } of refused) expect([status, body.error.code]).toEqual([409, 'quota_exceeded'])
  await untilSent(installation, approved)
  await expectInvariants(installation)
  recordMeasurement('lastQuota', `${approvals} approvals, ${approved.length} granted`)
})
