import type { Db } from '../../src/db/connect.ts'
import type { Finding } from '../../src/db/queries/doctor/doctor.ts'
import { findingsOf } from './findings.ts'
import type { JournalEntry } from './journals.ts'
import {
  type CallToCheck,
  callsToCheck,
  recipientsClosedBefore,
  recipientsOptedOut,
  sentWithoutCall,
  testKeys,
  wavesWithCalls,
} from './rows.ts'
import { checkChatTurns, turnKeys } from './turns.ts'

const rules = {
  'chat-sent-once':
    'no recipient received a call of a wave twice, and every call that reached the provider is in the rows',
  'chat-none-when-cancelled': 'no call of a cancelled message reached the provider',
  'chat-no-unwanted-reminder': 'no recipient was reminded after opting out',
  'chat-none-against-consent':
    'no recipient received anything after blocking, withdrawing consent or unsubscribing before the first claim of the batch',
  'chat-sent-was-received': 'every delivery with state sent is in the journal',
} as const

/**
 * Compares the rows with the chat provider's journal. Findings contain only ids and numbers, so that they can be
 * printed anywhere.
 */
export async function checkChatJournal(db: Db, journal: JournalEntry[]): Promise<Finding[]> {
  const broken: Record<keyof typeof rules, string[]> = {
    'chat-sent-once': [],
    'chat-none-when-cancelled': [],
    'chat-no-unwanted-reminder': [],
    'chat-none-against-consent': [],
    'chat-sent-was-received': [],
  }
  const received = acceptedByKey(journal)
  const knownKeys = new Set([...(await testKeys(db)), ...(await turnKeys(db))])

  for (const { waveId, messageId, state } of await wavesWithCalls(db)) {
    const calls = await callsToCheck(db, waveId)
    for (const { retryKey } of calls) knownKeys.add(retryKey)
    const arrived = calls.filter(({ retryKey }) => received.has(retryKey))

    broken['chat-sent-once'].push(...twice(waveId, arrived, received))
    if (state === 'cancelled')
      broken['chat-none-when-cancelled'].push(
        ...arrived.map(({ batch }) => `message ${messageId}: batch ${batch}`),
      )
    for (const { retryKey, subjectId } of await recipientsOptedOut(db, waveId, 'chat'))
      if (received.has(retryKey))
        broken['chat-no-unwanted-reminder'].push(`wave ${waveId}: subject ${subjectId}`)
    for (const { retryKey, subjectId } of await recipientsClosedBefore(db, waveId, 'chat'))
      if (received.has(retryKey))
        broken['chat-none-against-consent'].push(`wave ${waveId}: subject ${subjectId}`)
    const unheard = calls.filter(({ accepted, retryKey }) => accepted && !received.has(retryKey))
    broken['chat-sent-was-received'].push(
      ...unheard.map(({ batch, callNumber }) => `wave ${waveId}: batch ${batch}, call ${callNumber}`),
    )
    const unsent = await sentWithoutCall(db, waveId)
    broken['chat-sent-was-received'].push(
      ...unsent.map((subjectId) => `wave ${waveId}: subject ${subjectId}`),
    )
  }
  for (const [retryKey, entries] of received)
    if (!knownKeys.has(retryKey))
      broken['chat-sent-once'].push(`journal ${entries[0]!.seq}: no call has its retry key`)
  return [...findingsOf(rules, broken), ...(await checkChatTurns(db, journal))]
}

/** Accepted calls by retry key; a repeated retry key is answered 409 and adds no entry. */
function acceptedByKey(journal: JournalEntry[]): Map<string, JournalEntry[]> {
  const entries = journal.filter(({ status, retryKey }) => status === 200 && retryKey !== null)
  return Map.groupBy(entries, ({ retryKey }) => retryKey!)
}

/** Recipients who are in the journal twice for the same call number of a wave. */
function twice(waveId: string, calls: CallToCheck[], received: Map<string, JournalEntry[]>): string[] {
  const earlier = new Set<string>()
  const doubled: string[] = []
  for (const { retryKey, batch, callNumber } of calls) {
    for (const address of received.get(retryKey)!.flatMap((entry) => entry.to)) {
      const place = `${callNumber} ${address}`
      if (earlier.has(place)) doubled.push(`wave ${waveId}: batch ${batch}, call ${callNumber}`)
      earlier.add(place)
    }
  }
  return doubled
}
