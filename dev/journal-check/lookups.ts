import { sql } from 'kysely'
import type { Db } from '../../src/db/connect.ts'
import type { Finding } from '../../src/db/queries/doctor/doctor.ts'
import { findingsOf } from './findings.ts'

/** One Lookup as a producer journalled it before answering. */
export type LookupJournalEntry = {
  seq: number
  method: string
  path: string
  query: string
  body: string
  refusal: string | null
}

const rules = {
  'lookups-made-once': 'no run of a scenario called a producer twice at a node',
  'lookups-found-were-received': 'every Lookup that found something is in the journal',
} as const

/**
 * Compares Lookups with a producer's journal. A call names a person and no run, so that calls are counted by person,
 * method and path. Findings contain only ids, paths and numbers.
 */
export async function checkLookups(db: Db, journal: LookupJournalEntry[]): Promise<Finding[]> {
  const broken: Record<keyof typeof rules, string[]> = {
    'lookups-made-once': [],
    'lookups-found-were-received': [],
  }
  const received = Map.groupBy(journal, (entry) => `${entry.method} ${entry.path} ${subjectOf(entry)}`)
  const lookups = new Map((await lookupsMade(db)).map((row) => [row.place, row]))
  const { rows } = await sql<{ id: string }>`select id from subject`.execute(db)
  const people = new Set(rows.map(({ id }) => id))
  for (const [place, entries] of received) {
    if (!people.has(subjectOf(entries[0]!))) continue // erased since, or of another installation
    const most = lookups.get(place)?.made ?? 0
    if (entries.length > most) broken['lookups-made-once'].push(`${place}: ${entries.length} of ${most}`)
  }
  for (const { place, found: least } of lookups.values()) {
    const count = received.get(place)?.length ?? 0
    if (count < least) broken['lookups-found-were-received'].push(`${place}: ${count} of ${least}`)
  }
  return findingsOf(rules, broken)
}

function subjectOf({ method, query, body }: LookupJournalEntry): string {
  return method === 'GET' ? (new URLSearchParams(query).get('subject') ?? '') : JSON.parse(body).subject
}

/** How many Lookups were begun, and how many found something, by method, path and person. */
async function lookupsMade(db: Db): Promise<{ place: string; made: number; found: number }[]> {
  const { rows } = await sql<{ place: string; made: number; found: number }>`
    select concat_ws(' ', one ->> 'method', substring(one ->> 'url' from '^[a-z]+://[^/?]+([^?]*)'), run.subject_id) as place,
      count(*)::integer as made, (count(*) filter (where outcome = 'found'))::integer as found
    from lookup join scenario_run as run on run.id = run_id
      join scenario_version as version on version.scenario_id = run.scenario_id
        and version.version = run.version_number
      cross join jsonb_array_elements(content -> 'nodes') as one
    where one ->> 'id' = lookup.node and run.subject_id is not null
    group by place`.execute(db)
  return rows
}
