import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, it } from 'vitest'

const queries = resolve(import.meta.dirname, '../../../src/db/queries')

/**
 * Where a query reads the state that the row of a message has, and why not the one that it is shown in (`shownState`). A
 * place more is a decision: what a caller is shown is `expired` from its time on.
 */
const stored: Record<string, { reads: number; why: string }> = {
  'approval/authors.ts': { reads: 1, why: 'whether a person has approved the words' },
  'callback/answers.ts': { reads: 2, why: 'callbacks say where the row is, in the order of its moves' },
  'callback/failures.ts': { reads: 1, why: 'callbacks say where the row is, in the order of its moves' },
  'delivery/wave.ts': {
    reads: 1,
    why: 'which wave is active: the reminder of one that is sent, which has not expired',
  },
  'erasure/record.ts': { reads: 1, why: 'which rows their runs do not use' },
  'message/attention.ts': { reads: 2, why: 'what has failed or was rejected has not expired' },
  'message/calendar.ts': { reads: 1, why: 'an entry is withdrawn only by a person' },
  'message/read.ts': { reads: 8, why: 'the active wave, what is being sent, and the conditions of indexes' },
  'message/standing.ts': { reads: 1, why: 'the condition of the index of open messages' },
  'notice/author-notice.ts': { reads: 1, why: 'whether a person has cancelled it' },
  'quota/holds.ts': { reads: 1, why: 'the condition of the index of open messages' },
  'run/observe.ts': { reads: 1, why: 'the run decides by the row, and moves it' },
  'run/parked.ts': { reads: 1, why: 'which wave is active' },
  'run/summary.ts': { reads: 1, why: 'what the run has done' },
}

/** The SQL of a file: the text of each template, with a mark for each value, and each string. */
function sqlOf(text: string): string[] {
  const statements: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && node.type === 'TemplateLiteral' && 'quasis' in node)
      statements.push((node.quasis as { value: { raw: string } }[]).map(({ value }) => value.raw).join('?'))
    if ('type' in node && node.type === 'Literal' && 'value' in node && typeof node.value === 'string')
      statements.push(node.value)
    for (const inner of Object.values(node)) visit(inner)
  }
  visit(parseAst(text, { lang: 'ts' }))
  return statements
}

/** A bare `state` that a query reads of the table of messages. */
const bare = [
  /\bselect\b(?:(?!\b(?:select|from)\b).)*?(?<![\w.']|as )state\b(?:(?!\b(?:select|from)\b).)*?\bfrom message\b/gs,
  /\bfrom message\b(?:(?!\b(?:select|from|join)\b).)*?(?<![\w.])state (?:=|<>|in)/gs,
]

/** How often a file reads the stored state of messages: by the name or an alias of their table, or bare. */
function readsOf(text: string): number {
  const all = sqlOf(text)
  const aliases = all.flatMap((sql) =>
    [...sql.matchAll(/\bmessage (?:as )?([a-z]+)\b/g)].map(([, alias]) => alias!),
  )
  const named = new RegExp(`\\b(?:${['message', ...new Set(aliases)].join('|')})\\.state\\b`, 'g')
  const patterns = [named, ...bare]
  return all.flatMap((sql) => patterns.flatMap((pattern) => sql.match(pattern) ?? [])).length
}

it('no query but these reads the state of a message otherwise than as it is shown', () => {
  const reads = readdirSync(queries, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => [name, readsOf(readFileSync(join(queries, name), 'utf8'))] as const)
    .filter(([, count]) => count > 0)
  const expected = Object.entries(stored).map(([name, { reads }]) => [name, reads])
  expect(reads).toEqual(expected)
})

it('such a query is found', () => {
  expect(readsOf("db.selectFrom('message as m').select(['m.id', 'm.state'])")).toBe(1)
  expect(readsOf('sql`select id, state from message where state = ?`')).toBe(2)
  expect(readsOf("sql`select kept.state from message as kept where kept.state = 'draft'`")).toBe(2)
  expect(readsOf('sql`select ? as state from message m`')).toBe(0)
  expect(readsOf('sql`select wave.state from wave join message on message.id = message_id`')).toBe(0)
})
