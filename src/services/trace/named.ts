import { idOrNull } from '../../domain/lib/id.ts'
import { runOfWorkflow } from '../../domain/run/run-kinds.ts'
import type { Services } from '../context.ts'
import { type FoundEntry, find } from './find.ts'
import { traceRun } from './run.ts'
import { trace } from './trace.ts'
import type { TraceEntry } from './words.ts'

/**
 * Explains whatever an operator has a name of: a run or a handoff by its id, a mail by its Message-ID. Of anything else it
 * says what it is, and where to read on. A workflow id of Temporal stands for the id of its row.
 * @throws ServiceError not_found
 */
export async function traceNamed(
  services: Pick<Services, 'db' | 'channels' | 'rendering'>,
  actor: string,
  text: string,
): Promise<FoundEntry[]> {
  const { db } = services
  const mail = mailNamed(text)
  const messageId = mail && (await messageOfWave(services, mail.sentAs))
  if (mail && messageId) return inEnglish(await trace(db, actor, messageId, mail.to))
  const named = mail?.sentAs ?? runOfWorkflow(text)?.id ?? text
  const id = idOrNull(named)
  const entries = id === null ? undefined : await traceRun(services, actor, id)
  return entries ? inEnglish(entries) : find(db, actor, named)
}

/** As operators read it on the command line. */
export function inEnglish(entries: readonly TraceEntry[]): FoundEntry[] {
  return entries.map(({ at, text }) => ({ at, text: text.en }))
}

/** A Message-ID of Carillon names what was sent (a wave, a turn, a mail to staff), and to whom: `<wave.subject@domain>`. */
function mailNamed(text: string): { sentAs: string; to: string } | undefined {
  const [, sentAs, to] = /^<?([0-9a-f-]{36})\.([0-9a-f-]{36})@[^@]+$/i.exec(text) ?? []
  const ids = { sentAs: idOrNull(sentAs), to: idOrNull(to) }
  return ids.sentAs !== null && ids.to !== null ? { sentAs: ids.sentAs, to: ids.to } : undefined
}

async function messageOfWave({ db }: Pick<Services, 'db'>, waveId: string): Promise<string | undefined> {
  const wave = db.selectFrom('wave').select('message_id').where('id', '=', waveId)
  return (await wave.executeTakeFirst())?.message_id ?? undefined
}
