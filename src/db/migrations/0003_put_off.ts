import { type Kysely, sql } from 'kysely'

/** Each item of a queue counts its failed tries and is deferred by itself, so that it blocks nothing behind it. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  // Of the next chunk; both are reset when a chunk is written.
  `alter table import add column tries integer not null default 0,
    add column next_try_at timestamptz not null default now()`,
  `alter table erasure add column tries integer not null default 0`,
  `create index erasure_put_off on erasure (subject_id) where tries > 0`,
  `alter table event add column tries integer not null default 0`,
  `create index webhook_event_unreadable on webhook_event (id) where outcome = 'unreadable'`,
]
