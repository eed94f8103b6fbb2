import { type QueryExecutorProvider, sql } from 'kysely'

/** An event that ends lets an address that was put off take turns again only where one is due: mostly none is. */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql.raw(moved).execute(db)
}

const moved = `
create or replace function webhook_event_moved() returns trigger language plpgsql as $$
begin
  perform settle_webhook_head(webhook_key(old.channel, old.address, old.event_id));
  if tg_op = 'UPDATE' and exists (select from webhook_head where due_at <= clock_timestamp()) then
    perform resume_webhook_heads(1);
  end if;
  return null;
end $$;
`
