import type { Trx } from '../../db/connect.ts'
import { findSubjectByAddress } from '../../db/queries/recipient.ts'
import {
  endWebhookEvent,
  lockFollows,
  putOffWebhookEvent,
  takeWebhookEvent,
  type WebhookEvent,
} from '../../db/queries/webhook.ts'
import type { Services } from '../context.ts'
import { type Rounds, startRounds } from '../rounds.ts'
import { opensOrCloses, workOffChatEvent } from './chat.ts'
import { workOffEmailEvent } from './email.ts'

/** How often events are looked for, ms: whoever tapped is looking at the screen. */
const roundMs = 500
/** Side by side where there is something to do: after a big send thousands tap within a minute. */
const lanes = 4
/** Each lane does so many at most before it is asked whether to go on. */
const perLane = 25

/** Works off what channels told, until it is stopped. */
export function startWebhooks(services: Pick<Services, 'db' | 'log'>): Rounds {
  return startRounds({ log: services.log, what: 'webhooks', everyMs: roundMs }, async () => {
    if (!(await workOffNext(services))) return false
    await Promise.all(Array.from({ length: lanes }, () => workOffSome(services)))
    return true
  })
}

async function workOffSome(services: Pick<Services, 'db' | 'log'>): Promise<void> {
  for (let done = 0; done < perLane && (await workOffNext(services)); done++);
}

/**
 * Works off the next event, its effects and its outcome in one transaction: however often it is tried, it happens once.
 * False: there is none.
 */
export async function workOffNext({ db, log }: Pick<Services, 'db' | 'log'>): Promise<boolean> {
  let taken: string | undefined
  try {
    return await db.transaction().execute(async (trx) => {
      const event = await takeWebhookEvent(trx)
      if (!event) return false
      taken = event.id
      await endWebhookEvent(trx, event.id, await workOff(trx, event))
      return true
    })
  } catch (err) {
    if (taken === undefined) throw err
    const { givenUp } = await putOffWebhookEvent(db, taken)
    log.warn({ webhookEventId: taken, err, givenUp }, 'an event was not worked off')
    return true
  }
}

/** Whoever we do not know may be known later, under the same address; what they told stays recorded until then. */
async function workOff(trx: Trx, event: WebhookEvent) {
  const { channel, address } = event
  // Two that came in at once are worked off at once; and whoever binds the address asks what it did last.
  if (address !== null && opensOrCloses.includes(event.type)) await lockFollows(trx, address)
  const subjectId =
    (address === null ? undefined : await findSubjectByAddress(trx, channel, address)) ?? event.subjectId
  if (subjectId === null) return { outcome: address === null ? 'ignored' : 'unknown_user', subjectId }
  const outcome = await (channel === 'chat' ? workOffChatEvent : workOffEmailEvent)(trx, event, subjectId)
  return { outcome, subjectId }
}
