import type { Channel } from '../../src/contract/enums.ts'
import type { Db } from '../../src/db/connect.ts'
import { setValueNames } from '../../src/db/queries/audience/value-names.ts'
import { setAddresses, setConsents, setPreferences } from '../../src/db/queries/subject/consent.ts'
import { addressHasher } from '../../src/services/address-hash.ts'
import type { SecretBox } from '../../src/services/secret-box.ts'
import { upsertSubjects } from '../people.ts'
import { categories, scopes } from './catalogue.ts'
import {
  addressesOf,
  type DemoSubject,
  demoSubjects,
  demoValueNames,
  exceptions,
  isOne,
} from './subject-records.ts'

const consent = { version: '2026-08', source: 'demo' }

/** Inserts the subjects with addresses, consents and preferences if they are missing. Returns the first ten uids. */
export async function ensureSubjects(db: Db, secrets: SecretBox | undefined): Promise<string[]> {
  const people = demoSubjects()
  const { count } = await db
    .selectFrom('subject')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count < people.length) await writeSubjects(db, people, secrets)
  return people.slice(0, 10).map(({ uid }) => uid)
}

async function writeSubjects(db: Db, people: DemoSubject[], secrets: SecretBox | undefined): Promise<void> {
  const hashOf = await addressHasher(db, secrets)
  await db.transaction().execute(async (trx) => {
    const ids = await upsertSubjects(
      trx,
      people.map(({ n: _, ...subject }) => subject),
    )
    const idOf = (person: DemoSubject) => ids.get(person.uid)!
    await setAddresses(
      trx,
      people.flatMap((person) =>
        addressesOf(person).map(({ channel, address }) => ({
          ...{ subjectId: idOf(person), channel, address },
          hash: hashOf(channel, address),
        })),
      ),
    )
    await setConsents(
      trx,
      people.flatMap((person) =>
        scopesOf(person).map((scope) => ({ subjectId: idOf(person), scope, ...consent })),
      ),
    )
    await setPreferences(
      trx,
      people.flatMap((person) =>
        offOf(person).map((channel) => ({
          subjectId: idOf(person),
          categoryId: categories.events.id,
          channel,
          enabled: false,
        })),
      ),
    )
    for (const { dimension, names } of demoValueNames()) await setValueNames(trx, dimension, names)
    const blocked = people.filter(({ n }) => isOne(n, exceptions.blocked)).map(idOf)
    await trx
      .updateTable('address')
      .set({ blocked_at: new Date() })
      .where('subject_id', 'in', blocked)
      .where('channel', '=', 'chat')
      .execute()
  })
}

function offOf({ n }: DemoSubject): Channel[] {
  if (isOne(n, exceptions.off)) return ['chat', 'email']
  return isOne(n, exceptions.noMailPlease) ? ['email'] : []
}

/** The first ten give every consent; most leads and visitors consent to admission news, most alumni to alumni news. */
function scopesOf({ n, stage }: DemoSubject): string[] {
  if (n < 10) return [scopes.admission, scopes.alumni]
  if (n % 9 === 0) return []
  if (stage === 'alumni') return [scopes.alumni]
  return stage === 'lead' || stage === 'visitor' ? [scopes.admission] : []
}
