import type { Channel, ServerVerdict } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Trx } from '../../db/connect.ts'
import {
  doubtServer,
  endDoubt,
  lockServer,
  noteTaken,
  refuteProbe,
  setRecent,
} from '../../db/queries/delivery/mail-server.ts'
import { deleteSuppressions } from '../../db/queries/subject/suppression.ts'
import { countRefused, firstRefusal, isDoubtful, withNewest } from '../../domain/message/server-doubt.ts'
import type { Services } from '../context.ts'
import { suppressAddresses } from './suppress.ts'
import { auditLift } from './suppressions.ts'

/** What a mail server said of an address, of whatever mail: that it takes it, refuses it, or that it does not exist. */
export type RecipientVerdict = { address: string; verdict: 'taken' | 'refused' | 'unknown' }

/**
 * What a server said in one try of a batch, in order. `probe`: of the one address by which it was asked whether it knows
 * anybody. `acceptsAll`: it had taken all of the newest recipients when the batch was claimed.
 */
type ServerAnswers = { verdicts: RecipientVerdict[]; probe: boolean; acceptsAll: boolean }

type Store = Pick<Services, 'secrets' | 'log' | 'mailServer'>

/** The host under which a server is known where no mail server is configured, and bounces are reported all the same. */
const unnamedServer = 'unnamed'

/** The host name of this installation's mail server. */
function serverOf({ mailServer }: Pick<Services, 'mailServer'>): string {
  return mailServer ?? unnamedServer
}

const doubtable: Record<Channel, ((services: Pick<Services, 'mailServer'>) => string) | null> = {
  chat: null,
  email: serverOf,
}

/** The server through which a channel sends and whose word on recipients may be doubted; null: the channel has none. */
export function doubtableServer(services: Pick<Services, 'mailServer'>, channel: Channel): string | null {
  return doubtable[channel]?.(services) ?? null
}

/**
 * Takes note of what the mail server said of recipients. Where it is believed, those whom it does not know are suppressed,
 * and the answer is true. Where it refuses too many, for whatever reason, it is doubted: nothing is suppressed, and what it
 * had suppressed meanwhile is lifted (docs/design/provider-outcomes.md).
 */
export async function recordServerAnswers(
  services: Store & { db: Db },
  { verdicts, probe, acceptsAll }: ServerAnswers,
): Promise<boolean> {
  const { db } = services
  const server = serverOf(services)
  const acceptedCount = verdicts.filter(({ verdict }) => verdict === 'taken').length
  if (acceptsAll && !probe && acceptedCount === verdicts.length) return true
  if (acceptedCount > 0) await (probe ? endDoubt(db, server) : noteTaken(db, server, acceptedCount))
  if (acceptedCount === verdicts.length) return true
  const unknown = verdicts.flatMap(({ address, verdict }) => (verdict === 'unknown' ? [address] : []))
  return db.transaction().execute(async (trx) => {
    const store = { ...services, db: trx }
    if (!(await isBelieved(store, 'refused', verdicts.length - acceptedCount))) return false
    if (unknown.length > 0) await suppressRefused(store, unknown)
    return true
  })
}

/**
 * The same for an address whose mail bounced after the server had taken it: the subjects whose address is suppressed
 * now, or null where the server is doubted.
 * @throws ServiceError not_configured
 */
export async function handleBounce(services: Store & { db: Trx }, address: string): Promise<string[] | null> {
  if (!(await isBelieved(services, 'bounce', 1))) return null
  return suppressAddresses(services, {
    channel: 'email',
    why: 'bounce',
    server: serverOf(services),
    addresses: [address],
  })
}

/** Takes note of recipients whom the server refused. Returns whether it is believed. Locks the server's row. */
async function isBelieved(
  { db: trx, log, mailServer }: Store & { db: Trx },
  why: ServerVerdict,
  refused: number,
): Promise<boolean> {
  const server = serverOf({ mailServer })
  const { recent, doubted, believed, now } = await lockServer(trx, server, why)
  if (doubted && !believed) {
    if (why === 'bounce') await refuteProbe(trx, server)
    return false
  }
  if (believed) return true
  const newest = withNewest(recent, Array(refused).fill(now))
  if (!isDoubtful(newest)) {
    await setRecent(trx, server, why, newest)
    return true
  }
  await doubtServer(trx, server, why)
  const lifted = await lift(trx, server, why, firstRefusal(newest)!)
  log.warn(
    { server, why, refused: countRefused(newest), of: newest.length, lifted },
    'The mail server refuses too many recipients: their mail waits, and no address is suppressed',
  )
  return false
}

/** Lifts what the server had suppressed for this reason since then. Returns how many. */
async function lift(trx: Trx, server: string, why: ServerVerdict, since: Date): Promise<number> {
  const lifted = await deleteSuppressions(trx, { since, whys: [why], server })
  for (const row of lifted) await auditLift(trx, 'system:mail', 'unknown_recipients', row)
  return lifted.length
}

/** Suppresses addresses that the server refused, and is believed about. */
export async function suppressRefused(services: Store & { db: Trx }, addresses: string[]): Promise<void> {
  const server = serverOf(services)
  await suppressAddresses(services, { channel: 'email', why: 'refused', server, addresses }).catch(
    (err: unknown) => {
      // The mails are sent: their outcomes must be written, whatever SECRETS_KEY is.
      if (!(err instanceof ServiceError)) throw err
      services.log.error({ err, server, count: addresses.length }, 'Addresses were not suppressed')
    },
  )
}
