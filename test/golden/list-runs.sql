select run.id, run.scenario_id as "scenarioId", run.version_number as version,
  run.subject_id as "subjectId", subject.uid, run.state, run.reason, run.node, run.problem, run.deadline,
  run.test,
  run.started_by as "startedBy", case
    when "run"."started_by" like 'person:%' then (
      select named.name from person as named where named.id = substr("run"."started_by", 8)::uuid)
    when "run"."started_by" like 'key:%' then (
      select named.name from producer_key as named where named.id = substr("run"."started_by", 5))
    when "run"."started_by" like 'scenario:%' then (
      select named.name from scenario_version as named
      where named.scenario_id = substr("run"."started_by", 10)::uuid order by named.version desc limit 1)
    when "run"."started_by" like 'schedule:%' then (
      select named.name from schedule as named where named.id = substr("run"."started_by", 10)::uuid)
  end as "startedByName",
  run.created_at as "startedAt", run.closed_at as "endedAt"
    from (
      select * from scenario_run where scenario_id = $1 and state = any($2::text[]) and closed_at is null and node = $3 order by id desc limit (select $4::integer)
    ) as run
      left join subject on subject.id = run.subject_id
    order by run.id desc;
