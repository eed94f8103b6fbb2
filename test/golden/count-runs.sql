with run as (
      select id, version_number as version, node, closed_at from scenario_run
      where scenario_id = $1 and ($2::integer is null or version_number = $3::integer)
    ),
    step as (
      select run.version, step.node, step.edge from run join scenario_step as step on step.run_id = run.id
    ),
    counted as (
      select version, node, null as edge, count(*) as count from run where closed_at is null group by version, node
      union all
      select version, node, '', count(*) from step group by version, node
      union all
      select version, node, edge, count(*) from step where edge is not null group by version, node, edge
      union all
      select version, node, edge, count from scenario_count
      where scenario_id = $4 and ($5::integer is null or version = $6::integer)
    )
    select version, node, edge, sum(count)::integer as count from counted
    group by version, node, edge order by version desc, node, edge;
