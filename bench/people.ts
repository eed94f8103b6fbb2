import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { BenchInstallation } from './installation.ts'
import { chatCategory, consentScope } from './names.ts'

/** The first `warmUpPeople` subjects have this tag, for an unmeasured first message. */
export const warmUpTag = 'warm-up'
export const warmUpPeople = 1_000

/**
 * Inserts subjects with chat and mail addresses, every second one with locale `en`. `exceptions`: of every hundred, one
 * has not consented, one has switched the category off, one has no chat address and one has blocked the account.
 */
export async function insertPeople(
  { db, plainly, environment }: BenchInstallation,
  size: number,
  exceptions: boolean,
): Promise<void> {
  const is = (nth: number) => sql`(${exceptions} and n % 100 = ${nth}::int)`
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`
      create temporary table planted on commit drop as
      select n, uuidv7() as id from generate_series(1, ${size}::int) as n`.execute(trx)
    await sql`
      insert into subject (id, uid, stage, locale, tags)
      select id, ${sql.lit('p-')} || n, 'member', case n % 2 when 0 then 'en' else 'zh-TW' end,
        case when n <= ${warmUpPeople}::int then array[${sql.lit(warmUpTag)}] else '{}' end
      from planted`.execute(trx)
    await sql`
      insert into address (subject_id, channel, address, blocked_at)
      select id, 'chat', 'U' || md5(n::text), case when ${is(4)} then now() end
      from planted where not ${is(3)}`.execute(trx)
    await sql`
      insert into address (subject_id, channel, address)
      select id, 'email', 'p' || n || '@campus.example.edu' from planted`.execute(trx)
    await sql`
      insert into consent (subject_id, scope, version, source)
      select id, ${consentScope}, '1', 'bench' from planted where not ${is(1)}`.execute(trx)
    await sql`
      insert into preference (subject_id, category_id, channel, enabled)
      select id, ${chatCategory}, 'chat', false from planted where ${is(2)}`.execute(trx)
  })
  const { databaseUrl } = environment.addresses
  await plainly(databaseUrl, (client) => client.query('vacuum analyze subject, address, consent, preference'))
}

/** The uid of the nth person, from 1 on. */
export function uidOf(n: number): string {
  return `p-${n}`
}

/** The chat address of the nth person. */
export function chatAddressOf(n: number): string {
  return `U${createHash('md5').update(String(n)).digest('hex')}`
}
