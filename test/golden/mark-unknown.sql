update delivery set state = 'unknown', reason = member.reason
    from unnest($1::uuid[],
      $2::text[]) as member (subject_id, reason)
    where wave_id = $3 and channel = $4 and batch = $5
      and delivery.subject_id = member.subject_id and delivery.state = 'pending';

update batch set unknown = unknown + $1::integer where 
    batch.wave_id = $2 and batch.channel = $3 and batch.number = $4
    and batch.state = 'open' and batch.claimed_by = $5;
