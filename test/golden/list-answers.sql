select run.id as "runId", run.version_number as version, subject.id as "subjectId", subject.uid, answer.node,
      answer.option_id as "optionId", answer.text, answer.data, answer.at
    from scenario_run as run
      cross join lateral (
        select * from scenario_answer where run_id = run.id order by node offset 0
      ) as answer
      join subject on subject.id = run.subject_id
    where run.scenario_id = $1 and run.id <= $2 and (run.id < $3 or answer.node > $4)
    order by run.id desc, answer.node limit (select $5::integer);
