import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { forSends, withFarEnds } from '../../../fixtures/delivery.ts'
import { begin } from '../../../fixtures/sends.ts'
import { recordMeasurement } from '../world/measurements.ts'
import { casesOf, expectOthersUndelayed, limits, outcomesOf, planRun, play, sizes } from './failure-run.ts'
import { providerFaults } from './provider-faults.ts'

const { database, shared } = forSends()

describe('a recipient by email', () => {
  const cases = casesOf('email')
  afterAll(() =>
    recordMeasurement('mailAnswers', `${cases.length} messages, each with one recipient who fails`),
  )
  it.each(cases)('with $what, $at of a $size message, delays no other recipient', async (one) => {
    await expectOthersUndelayed(shared, 'email', one)
  })
})

describe('a wave that an earlier version has parked', () => {
  it.each(['an address that no envelope can contain', 'RCPT 421', 'RCPT 554, relay', 'RCPT, hangs up'])(
    'continues at its probe: %s',
    async (name) => {
      const fixture = await withFarEnds(shared)
      const failing = await planRun(fixture, 'email', sizes.email.large, false)
      await begin(fixture, failing)
      const bad = failing.people[0]!
      await providerFaults.email.find((fault) => fault.name === name)!.plant(fixture, bad)
      await sql`
        update wave set parked = 'provider', parked_at = now() - interval '1 day', probe_at = now() + interval '1 minute',
          claimed = true
        where id = ${failing.waveId}`.execute(database.db)
      await sql`update message set problem = 'provider' where id = ${failing.id}`.execute(database.db)

      const others = failing.people.filter((person) => person !== bad)
      const allSent = async () => {
        const outcomes = await outcomesOf(fixture, failing)
        return others.every(({ subjectId }) => outcomes.get(subjectId) === 'sent')
      }
      await play(fixture, [failing], allSent, limits.othersMs)
      expect(await fixture.sentAddresses()).toHaveLength(others.length)
    },
  )
})
