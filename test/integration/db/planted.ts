import { sql } from 'kysely'
import { type Migrations, migrations } from '../../../src/db/migrate.ts'

export const second = '0002_planted'

/** The migrations of a release that brings one more: a column that rows of before get from another, and a new one. */
export const planted: Migrations = {
  ...migrations,
  [second]: {
    up: async (db) => {
      await sql
        .raw(`
        alter table message add column state_before text not null default '';
        update message set state_before = state;
        alter table event_binding add column planted_at timestamptz;`)
        .execute(db)
    },
  },
}
