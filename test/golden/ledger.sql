begin;

with reservation as (
      insert into quota_reservation as r (wave_id, unit_id, channel, month, unit_reserved)
      values ($1, $2, $3, $4, $5)
      on conflict (wave_id, channel, month) do update set unit_reserved = r.unit_reserved + excluded.unit_reserved
      returning wave_id
    ), account as (
      update quota_ledger set reserved = reserved + $6
      where exists (select from reservation) and scope = $7 and channel = $8 and month = $9
        and monthly_limit - reserved - committed >= $10
      returning scope
    )
    select exists (select from account) as taken;

update "quota_reservation" set "unit_reserved" = "unit_reserved" - $1 where "wave_id" = $2 and "channel" = $3 and "month" = $4;

select "monthly_limit" as "limit", "reserved", "committed" from "quota_ledger" where "scope" = $1 and "channel" = $2 and "month" = $3 for no key update;

insert into quota_ledger (scope, channel, month, monthly_limit)
    values ($1, $2, $3, coalesce((
      select monthly_limit from quota_default where scope = $4 and channel = $5
    ), 0))
    on conflict do nothing;

select "monthly_limit" as "limit", "reserved", "committed" from "quota_ledger" where "scope" = $1 and "channel" = $2 and "month" = $3 for no key update;

select "monthly_limit" as "limit", "reserved", "committed" from "quota_ledger" where "scope" = $1 and "channel" = $2 and "month" = $3 for no key update;

insert into quota_ledger (scope, channel, month, monthly_limit)
    values ($1, $2, $3, coalesce((
      select monthly_limit from quota_default where scope = $4 and channel = $5
    ), 0))
    on conflict do nothing;

select "monthly_limit" as "limit", "reserved", "committed" from "quota_ledger" where "scope" = $1 and "channel" = $2 and "month" = $3 for no key update;

with reservation as (
      update quota_reservation
      set unit_reserved = unit_reserved + $1, pool_reserved = pool_reserved + $2,
        unit_committed = unit_committed + $3, pool_committed = pool_committed + $4
      where wave_id = $5 and channel = $6 and month = $7
    )
    update quota_ledger
    set reserved = reserved
        + case scope when $8 then $9::integer else $10 end,
      committed = committed
        + case scope when $11 then $12::integer else $13 end
    where scope = any($14) and channel = $15 and month = $16;

select * from "quota_reservation" where "wave_id" = any($1::uuid[]) and ("unit_reserved" > $2 or "pool_reserved" > $3) and "channel" = $4 order by "channel", "month", "wave_id" for no key update;

insert into "quota_reservation" ("wave_id", "unit_id", "channel", "month") values ($1, $2, $3, $4) on conflict ("wave_id", "channel", "month") do update set "unit_id" = $5 returning *;

with account as (
      update quota_ledger set reserved = reserved + $1
      where scope = $2 and channel = $3 and month = $4
        and monthly_limit - reserved - committed >= $5
      returning scope
    )
    update quota_reservation set unit_reserved = unit_reserved + $6
    where wave_id = $7 and channel = $8 and month = $9 and exists (select from account);

select "monthly_limit" as "limit", "reserved", "committed" from "quota_ledger" where "scope" = $1 and "channel" = $2 and "month" = $3 for no key update;

select "monthly_limit" as "limit", "reserved", "committed" from "quota_ledger" where "scope" = $1 and "channel" = $2 and "month" = $3 for no key update;

with reservation as (
      update quota_reservation
      set unit_reserved = unit_reserved + $1, pool_reserved = pool_reserved + $2,
        unit_committed = unit_committed + $3, pool_committed = pool_committed + $4
      where wave_id = $5 and channel = $6 and month = $7
    )
    update quota_ledger
    set reserved = reserved
        + case scope when $8 then $9::integer else $10 end,
      committed = committed
        + case scope when $11 then $12::integer else $13 end
    where scope = any($14) and channel = $15 and month = $16;

select * from "quota_reservation" where "wave_id" = any($1::uuid[]) and ("unit_reserved" > $2 or "pool_reserved" > $3) and "channel" = $4 order by "channel", "month", "wave_id" for no key update;

select "monthly_limit" as "limit", "reserved", "committed" from "quota_ledger" where "scope" = $1 and "channel" = $2 and "month" = $3 for no key update;

select "monthly_limit" as "limit", "reserved", "committed" from "quota_ledger" where "scope" = $1 and "channel" = $2 and "month" = $3 for no key update;

with reservation as (
      update quota_reservation
      set unit_reserved = unit_reserved + $1, pool_reserved = pool_reserved + $2,
        unit_committed = unit_committed + $3, pool_committed = pool_committed + $4
      where wave_id = $5 and channel = $6 and month = $7
    )
    update quota_ledger
    set reserved = reserved
        + case scope when $8 then $9::integer else $10 end,
      committed = committed
        + case scope when $11 then $12::integer else $13 end
    where scope = any($14) and channel = $15 and month = $16;

select * from "quota_reservation" where "wave_id" = any($1::uuid[]) and ("unit_reserved" > $2 or "pool_reserved" > $3) order by "channel", "month", "wave_id" for no key update;

select "monthly_limit" as "limit", "reserved", "committed" from "quota_ledger" where "scope" = $1 and "channel" = $2 and "month" = $3 for no key update;

select "monthly_limit" as "limit", "reserved", "committed" from "quota_ledger" where "scope" = $1 and "channel" = $2 and "month" = $3 for no key update;

select "monthly_limit" as "limit", "reserved", "committed" from "quota_ledger" where "scope" = $1 and "channel" = $2 and "month" = $3 for no key update;

select "monthly_limit" as "limit", "reserved", "committed" from "quota_ledger" where "scope" = $1 and "channel" = $2 and "month" = $3 for no key update;

with reservation as (
      update quota_reservation
      set unit_reserved = unit_reserved + $1, pool_reserved = pool_reserved + $2,
        unit_committed = unit_committed + $3, pool_committed = pool_committed + $4
      where wave_id = $5 and channel = $6 and month = $7
    )
    update quota_ledger
    set reserved = reserved
        + case scope when $8 then $9::integer else $10 end,
      committed = committed
        + case scope when $11 then $12::integer else $13 end
    where scope = any($14) and channel = $15 and month = $16;

commit;
