import { sql } from 'kysely'
import type { Channel, TurnState, TurnWay } from '../../src/contract/enums.ts'
import type { Db } from '../../src/db/connect.ts'
import type { Finding } from '../../src/db/queries/doctor/doctor.ts'
import { findingsOf } from './findings.ts'
import type { JournalEntry, MailJournalEntry } from './journals.ts'

/** What the runs of scenarios say, and units reply in handoffs, against the journals of chat simulator and mailbox. */

const chatRules = {
  'chat-turns-said-once':
    'no turn of a scenario run, and no reply in a handoff, was accepted twice, whether by push or by reply, and none that was skipped or failed was accepted',
  'chat-turns-sent-were-received': 'every turn with state sent is in the journal',
} as const

const mailRules = {
  'mail-turns-said-once':
    'no turn of a scenario run was mailed twice, and none that was skipped or failed was mailed',
  'mail-turns-sent-were-received': 'every turn with state sent is in the journal',
} as const

/** A turn that was tried on a channel. `token`: of the event that it replies to, while that is kept. */
type TriedTurn = {
  id: string
  /** The run, or the handoff. */
  of: string
  number: number
  state: TurnState
  by: TurnWay | null
  retryKey: string | null
  token: string | null
}

/** Compares turns with the chat provider's journal. Findings contain only ids and numbers. */
export async function checkChatTurns(db: Db, journal: JournalEntry[]): Promise<Finding[]> {
  const accepted = journal.filter(({ status }) => status === 200)
  const byKey = Map.groupBy(accepted, ({ retryKey }) => retryKey)
  const byToken = Map.groupBy(accepted, ({ replyToken }) => replyToken ?? null)
  const received = ({ retryKey, token }: TriedTurn) =>
    (retryKey === null ? 0 : (byKey.get(retryKey)?.length ?? 0)) +
    (token === null ? 0 : (byToken.get(token)?.length ?? 0))
  const { twice, lost } = compared(await turnsTried(db, 'chat'), received)
  return findingsOf(chatRules, { 'chat-turns-said-once': twice, 'chat-turns-sent-were-received': lost })
}

/** Compares turns with the mail server's journal, where the id of a turn is the first part of its Message-ID. */
export async function checkMailTurns(db: Db, journal: MailJournalEntry[]): Promise<Finding[]> {
  const mails = Map.groupBy(journal, ({ messageId }) => messageId.slice(1, 37))
  const { twice, lost } = compared(
    await turnsTried(db, 'email'),
    ({ id }: TriedTurn) => mails.get(id)?.length ?? 0,
  )
  return findingsOf(mailRules, { 'mail-turns-said-once': twice, 'mail-turns-sent-were-received': lost })
}

/** The retry keys of all turns. */
export async function turnKeys(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('turn').select('retry_key').where('retry_key', 'is not', null).execute()
  return rows.map((row) => row.retry_key!)
}

async function turnsTried(db: Db, channel: Channel): Promise<TriedTurn[]> {
  const { rows } = await sql<TriedTurn>`
    select turn.id, coalesce('run ' || turn.run_id, 'handoff ' || turn.handoff_id) as of, turn.number, turn.state, turn.by, turn.retry_key as "retryKey",
      event.payload ->> 'replyToken' as token
    from turn left join webhook_event as event on event.id = turn.reply_event_id
    where turn.tries > 0 and turn.channel = ${channel} order by turn.id`.execute(db)
  return rows
}

function compared(turns: TriedTurn[], receivedOf: (turn: TriedTurn) => number) {
  const [twice, lost]: [string[], string[]] = [[], []]
  for (const turn of turns) {
    const { of, number, state, by, token } = turn
    const received = receivedOf(turn)
    const place = `${of}, turn ${number}`
    if (received > 1) twice.push(`${place}: ${received} times`)
    if (received > 0 && (state === 'skipped' || state === 'failed')) twice.push(`${place}: ${state}`)
    const forgotten = by === 'reply' && token === null // the event is kept for a shorter time
    if (received === 0 && state === 'sent' && !forgotten) lost.push(place)
  }
  return { twice, lost }
}
