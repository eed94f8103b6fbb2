import { sql } from 'kysely'
import type { Trx } from '../../connect.ts'
import type { WebhookEvent } from './webhook.ts'

/**
 * Whether the person of an event needs no guidance now: they got it within the hour, or what they said within the last minute
 * was taken or answered.
 */
export async function isGuided(
  trx: Trx,
  { channel, address }: Pick<WebhookEvent, 'channel' | 'address'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_event
    where channel = ${channel} and address = ${address} and occurred_at > clock_timestamp() - interval '1 hour'
      and (outcome = 'guided' or done_at > clock_timestamp() - interval '1 minute'
        and (reply_used_at is not null or outcome in ('answered', 'started')))
    limit 1`.execute(trx)
  return rows.length > 0
}
