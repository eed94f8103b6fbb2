import { Reference } from '../../contract/common.ts'
import { BatchOfAny, OccurredAt, SystemEvent } from '../../contract/events/event.ts'
import { limits } from '../../contract/limits.ts'
import { readValue } from '../../contract/read-value.ts'
import { type Broken, broken } from '../../contract/rules.ts'
import type { GivenEvent } from '../../db/queries/event/event.ts'
import { forbiddenKeyPath, inexactPath, unstorableFault } from '../../domain/lib/json-values.ts'
import { isStorableText } from '../../domain/lib/storable-text.ts'
import { clipPath, type Issue, issuesFound, pathOf } from '../validation-error.ts'

/**
 * Reads what was signed as an event. Of one that is invalid, id, type and time are kept as far as they can be read, and
 * none of its data; without an id it has `digest`, that of its signature, in its place.
 */
export function readEvent(raw: unknown, digest: string): GivenEvent {
  const { eventId, type, occurredAt, data } = fieldsOf(raw)
  const issue = valueIssue({ eventId, type, occurredAt, data })
  if (issue) return invalidEvent(raw, [issue], digest)
  const read = readValue(SystemEvent, raw)
  return read.error ? invalidEvent(raw, issuesFound(read.error), digest) : read.data
}

/** Reads the events of a batch, each by itself. What is no batch is one invalid event. */
export function readBatch(raw: unknown, digest: string): GivenEvent[] {
  const read = readValue(BatchOfAny, raw)
  if (read.error) return [invalidEvent(null, issuesFound(read.error), digest)]
  return read.data.events.map((event, at) => readEvent(event, `${digest}/${at}`))
}

/** How many uids something names that may be an event. */
export function uidsIn(raw: unknown): number {
  const { subjectUids } = fieldsOf(raw)
  return Array.isArray(subjectUids) ? subjectUids.length : 0
}

/** What no schema looks for in what is kept of an event, malformed uids apart: what Postgres cannot store, keys that reach a prototype, and numbers that were rounded. */
function valueIssue(raw: unknown): Issue | null {
  const unstorable = unstorableFault(raw, limits.jsonDepth)
  if (unstorable) return issueAt(unstorable.path, unstorable.broken)
  const key = forbiddenKeyPath(raw)
  if (key) return issueAt(key.slice(0, -1), broken('forbidden_key', { key: String(key.at(-1)) }))
  const number = inexactPath(raw)
  return number && issueAt(number, broken('inexact_number'))
}

function issueAt(path: PropertyKey[], rule: Broken): Issue {
  return { path: clipPath(pathOf(path)), ...rule }
}

/** The body of a Lookup, which has a `subject`, must not take the place of an event: its id is not read. */
function invalidEvent(raw: unknown, issues: Issue[], digest: string): GivenEvent {
  const { eventId, type, occurredAt, subject } = fieldsOf(raw)
  const id = subject === undefined ? referenceIn(eventId) : null
  return {
    eventId: id ?? digest,
    unnamed: id === null,
    type: referenceIn(type),
    occurredAt: OccurredAt.safeParse(occurredAt).data ?? null,
    subjectUids: [],
    data: {},
    error: 'invalid_event',
    details: { issues },
  }
}

function referenceIn(value: unknown): string | null {
  const text = Reference.safeParse(value).data
  return text !== undefined && isStorableText(text) ? text : null
}

function fieldsOf(raw: unknown): Record<string, unknown> {
  return typeof raw === 'object' && raw !== null ? { ...raw } : {}
}
