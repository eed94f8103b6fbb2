import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../../src/db/connect.ts'
import { canary } from './canaries.ts'

/** Subjects inserted for a message: the chat addresses of its recipients, and of those who must not receive it. */
export type Crowd = { tag: string; recipients: string[]; excluded: string[] }

/**
 * Inserts `size` subjects under a new tag, every second with locale `en`, and in addition some who have blocked the
 * account and some who have switched the category `notice` off.
 */
export async function insertCrowd(
  db: Db,
  size: number,
  { blocked = 0, unwilling = 0 }: { blocked?: number; unwilling?: number } = {},
): Promise<Crowd> {
  const tag = `crowd:${randomBytes(6).toString('hex')}`
  const addresses = Array.from({ length: size + blocked + unwilling }, (_, n) => addressOf(tag, n))
  await sql`
    with person as (
      select n, address, ${tag} || '-' || n as uid
      from unnest(${addresses}::text[]) with ordinality as given (address, n)
    ),
    born as (
      insert into subject (uid, stage, locale, display_name, tags)
      select uid, 'member', case n % 2 when 0 then 'en' else 'zh-TW' end, ${canary.name} || ' ' || n, array[${tag}]
      from person returning id, uid
    ),
    bound as (
      insert into address (subject_id, channel, address, blocked_at)
      select id, 'chat', address, case when n between ${size + 1} and ${size + blocked} then now() end
      from born join person using (uid)
    )
    insert into preference (subject_id, category_id, channel, enabled)
    select id, 'notice', 'chat', false from born join person using (uid) where n > ${size + blocked}
  `.execute(db)
  return { tag, recipients: addresses.slice(0, size), excluded: addresses.slice(size) }
}

/** An address as the chat provider writes them. */
function addressOf(tag: string, n: number): string {
  return `U${createHash('md5').update(`${tag}/${n}`).digest('hex')}`
}

/** Gives every subject with a tag a mail address. */
export async function withMail(db: Db, tag: string): Promise<void> {
  await sql`
    insert into address (subject_id, channel, address)
    select id, 'email', id || '@' || ${canary.email.slice(canary.email.indexOf('@') + 1)}
    from subject where tags @> array[${tag}]`.execute(db)
}
