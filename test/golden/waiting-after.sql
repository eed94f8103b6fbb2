select kind, id, since from (
      select kind, id, (extract(epoch from since) * 1000000)::bigint as since
      from (select 'message' as kind, of_kind.* from (
    select id, changed_at as since from message
    where unit_id = $1 and "message"."state" = 'submitted' and ("message"."expires_at" is null or "message"."expires_at" > statement_timestamp()) and (changed_at, id) > ('epoch'::timestamptz + $2::bigint * interval '1 microsecond', $3)
    order by changed_at, id limit (select $4::integer)) as of_kind (id, since) union all select 'template' as kind, of_kind.* from (
    select t.id, v.created_at from template t join template_version v on v.template_id = t.id
    where t.unit_id = $5 and v.state = 'draft' and v.version = (
      select max(newest.version) from template_version newest where newest.template_id = t.id)) as of_kind (id, since) union all select 'event_binding' as kind, of_kind.* from (
    select b.id, v.created_at from event_binding b join event_binding_version v on v.binding_id = b.id
    where b.unit_id = $6 and v.state = 'submitted') as of_kind (id, since) union all select 'scenario' as kind, of_kind.* from (
    select s.id, v.submitted_at from scenario s join scenario_version v on v.scenario_id = s.id
    where s.unit_id = $7 and v.state = 'submitted') as of_kind (id, since)) as of_all
    ) as waiting
    where (since, id) > ($8, $9)
    order by since, id limit $10
