select turn.id, run.id as "runId", turn.channel is not distinct from 'page' as "onPage", turn.unit_id as "unitId", turn.subject_id as "subjectId",
      turn.last_node as "lastNode", turn.locale, turn.says, turn.answers_person or run.test as "answersPerson",
      version.content, case
        when version.state in ('in_force', 'replaced') and version.decided_by is not null then jsonb_build_object(
          'of', 'scenario', 'id', version.scenario_id, 'version', version.version, 'by', version.decided_by) end as approval,
      case when run.test and run.started_by like 'person:%' then run.started_by end as member,
      json_build_object('id', c.id, 'name', c.name, 'layer', c.layer, 'consentScope', case when not run.test then c.consent_scope end,
        'plan', case when run.test then '{"mode": "all", "channels": ["chat"]}'::jsonb
        else "c"."channel_plan" end) as category,
      jsonb_build_object('id', unit.id,
  'name', coalesce(unit.display_name, jsonb_build_object('zh-TW', unit.name)),
  'named', unit.display_name is not null, 'replyTo', unit.reply_to, 'sender', unit.sender,
  'timeZone', unit.time_zone) as unit
    from turn join scenario_run as run on run.id = turn.run_id
      join scenario_version as version on version.scenario_id = run.scenario_id
        and version.version = run.version_number
      join category as c on c.id = version.category_id
      join unit on unit.id = turn.unit_id
    where turn.run_id = $1 and turn.state = 'pending' and turn.subject_id is not null
    order by turn.number limit 1;
