import { type Kysely, sql } from 'kysely'
import { answers } from './0001/answers.ts'
import { callbacks } from './0001/callbacks.ts'
import { catalogue } from './0001/catalogue.ts'
import { delivery } from './0001/delivery.ts'
import { events } from './0001/events.ts'
import { groups } from './0001/groups.ts'
import { identity } from './0001/identity.ts'
import { message } from './0001/message.ts'
import { notice } from './0001/notice.ts'
import { people } from './0001/people.ts'
import { quota } from './0001/quota.ts'
import { rate } from './0001/rate.ts'
import { recipients } from './0001/recipients.ts'
import { signIn } from './0001/sign-in.ts'
import { webhooks } from './0001/webhooks.ts'

/** The first schema. Each part is one file of SQL, in the order of the tables' references. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const part of [
    people,
    catalogue,
    groups,
    message,
    answers,
    notice,
    events,
    callbacks,
    delivery,
    identity,
    quota,
    rate,
    recipients,
    webhooks,
    signIn,
  ])
    await sql.raw(part).execute(db)
}
