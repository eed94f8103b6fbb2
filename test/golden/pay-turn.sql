with own as (
      update quota_ledger set committed = committed + 1
      where scope = $1 and channel = $2 and month = $3
        and monthly_limit - reserved - committed >= 1
      returning 1
    ),
    pool as (
      update quota_ledger set committed = committed + 1
      where scope = $4 and channel = $5 and month = $6
        and monthly_limit - reserved - committed >= 1 and not exists (select from own)
        and exists (select from quota_ledger as unit
          where unit.scope = $7 and unit.channel = $8 and unit.month = $9)
      returning 1
    )
    select (select count(*) from own)::int as unit, (select count(*) from pool)::int as pool,
      (select count(*) from quota_ledger
        where scope in ($10, $11) and channel = $12 and month = $13)::int as accounts;
