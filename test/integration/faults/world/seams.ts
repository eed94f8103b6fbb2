import pg from 'pg'
import { expect } from 'vitest'
import { eventually } from '../../../harness/eventually.ts'

/** A place between two steps of a call, or of a run, at which its process may die. */
export type Seam =
  | 'before the record'
  | 'before the write'
  | 'before the commit'
  | 'before the reply'
  | 'before the wake'
  | 'before the deliveries'
  | 'before the quota'

/**
 * Holds a process at a seam from outside: triggers in the test's database wait for a lock that the test holds. They
 * affect only connections that go `through` here.
 */
export interface Seams {
  /** The database's address for the held process, through this port. */
  through(databaseUrl: string, port: number): string
  hold(seam: Seam): Promise<void>
  /** Waits until `count` transactions are held. */
  untilHeld(count: number): Promise<void>
  /** Releases them. */
  release(): Promise<void>
  /** After the process' death: ends its transactions, as a lost connection does, and opens the seam. */
  abandon(): Promise<void>
  close(): Promise<void>
}

const victim = 'carillon-victim'
/**
 * The recording of an event; the first write of a message, and its commit; a reply comes after the commit. Of a wave, the
 * writing of its deliveries, and the reservation that lets them be sent.
 */
const locks: Partial<Record<Seam, number>> = {
  'before the record': 3,
  'before the write': 1,
  'before the commit': 2,
  'before the reply': 2,
  'before the deliveries': 4,
  'before the quota': 5,
}

const triggers = `
create function wait_at_seam() returns trigger language plpgsql as $$
begin
  if current_setting('application_name') = '${victim}' then
    perform set_config('lock_timeout', '0', true); -- it is held as long as the test needs
    perform pg_advisory_xact_lock_shared(tg_argv[0]::bigint);
  end if;
  return new;
end $$;
create trigger seam_before_write before insert or update on message
  for each row execute function wait_at_seam(1);
create trigger seam_before_record before insert on event
  for each row execute function wait_at_seam(3);
create trigger seam_before_deliveries before insert on delivery
  for each statement execute function wait_at_seam(4);
create trigger seam_before_quota before update on wave
  for each row when (old.unreserved and not new.unreserved) execute function wait_at_seam(5);
create constraint trigger seam_before_commit after insert or update on message
  deferrable initially deferred for each row execute function wait_at_seam(2);
`

/** Makes the triggers in a database. */
export async function installSeams(databaseUrl: string): Promise<Seams> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(triggers)
  return {
    through(url, port) {
      const address = new URL(url)
      address.port = String(port)
      address.searchParams.set('application_name', victim)
      return address.href
    },
    hold: async (seam) => void (await client.query('select pg_advisory_lock($1)', [locks[seam]])),
    untilHeld: (count) =>
      eventually(async () => {
        const { rows } = await client.query(waiting)
        expect(rows).toHaveLength(count)
      }),
    release: async () => void (await client.query('select pg_advisory_unlock_all()')),
    async abandon() {
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
        [victim],
      )
      await eventually(async () => {
        const left = await client.query('select from pg_stat_activity where application_name = $1', [victim])
        expect(left.rowCount).toBe(0)
      })
      await client.query('select pg_advisory_unlock_all()')
    },
    close: () => client.end(),
  }
}

const waiting = `select pid from pg_stat_activity where application_name = '${victim}' and wait_event = 'advisory'`
