import * as units from '@grafana/grafana-foundation-sdk/units'
import { dashboardOf, figure, levels, lines, quantile, rate, rows } from './panels.ts'

/** The SDK serves a failure only once there was one. */
const failures = (metric: string) => `sum(rate(${metric}[$__rate_interval])) or vector(0)`

/** The API, the workers, Temporal, and the queues of background tasks. */
export const processes = dashboardOf(
  {
    uid: 'carillon-processes',
    title: 'Carillon: processes',
    description: 'The API, the workers and their queues, Temporal and Postgres as they see them.',
  },
  {
    Now: [
      figure({
        title: 'Processes',
        description: 'Processes that answer.',
        unit: units.Short,
        queries: { up: 'sum(up{job="carillon"})' },
      }),
      figure({
        title: 'Integrations that do not work',
        description: 'Unavailable or misconfigured: sign-in, Lookups, the assistant, callbacks.',
        unit: units.Short,
        queries: {
          integrations: `sum(${rows('carillon_integrations{state=~"unavailable|misconfigured"}', 'integration', 'state')})`,
        },
        alarming: 1,
      }),
      figure({
        title: 'Versions',
        description: 'More than one only during an upgrade.',
        unit: units.Short,
        queries: { versions: 'count(count by (version) (carillon_build_info))' },
        alarming: 2,
      }),
      figure({
        title: 'Runs begun anew',
        description: 'Within a day, because they were wedged.',
        unit: units.Short,
        queries: { runs: `sum(${rows('carillon_runs{state="restarted"}', 'kind')})` },
      }),
    ],
    API: [
      lines({
        title: 'Requests by status',
        description: 'Answers of the API, by class of status.',
        unit: units.RequestsPerSecond,
        queries: { '{{status}}': rate('carillon_http_request_seconds_count', 'status') },
      }),
      lines({
        title: 'Time of a request',
        description: 'The slowest twentieth, by chapter of the API reference.',
        unit: units.Seconds,
        queries: { '{{resource}}': quantile(0.95, 'carillon_http_request_seconds', 'resource') },
      }),
      lines({
        title: 'Connections to Postgres',
        description: 'Of each API process; waiting: callers without one.',
        unit: units.Short,
        queries: { '{{instance}} {{state}}': 'sum by (instance, state) (carillon_db_connections)' },
      }),
    ],
    Runs: [
      levels({
        title: 'Runs that need attention',
        description: 'Overdue, wedged, and begun anew within a day.',
        unit: units.Short,
        metric: 'carillon_runs',
        by: ['kind', 'state'],
      }),
      lines({
        title: 'Wakes',
        description: 'dropped: Temporal was unavailable. The reconciler wakes what was not woken.',
        unit: units.CountsPerSecond,
        queries: {
          '{{outcome}}': rate('carillon_wakes_total', 'outcome'),
          'by the reconciler': 'sum(rate(carillon_reconciler_wakes_total[$__rate_interval]))',
        },
      }),
      lines({
        title: 'Integrations',
        description: 'The state of each: 1.',
        unit: units.Short,
        queries: {
          '{{integration}} {{state}}': `${rows('carillon_integrations', 'integration', 'state')} == 1`,
        },
      }),
    ],
    Workers: [
      lines({
        title: 'Free slots',
        description: 'By task queue and kind of task, of all workers. 0: they are full.',
        unit: units.Short,
        queries: {
          '{{task_queue}} {{worker_type}}':
            'sum by (task_queue, worker_type) (temporal_worker_task_slots_available)',
        },
      }),
      lines({
        title: 'Slots in use',
        description: 'By task queue and kind of task, of all workers.',
        unit: units.Short,
        queries: {
          '{{task_queue}} {{worker_type}}':
            'sum by (task_queue, worker_type) (temporal_worker_task_slots_used)',
        },
      }),
      lines({
        title: 'Polls in flight',
        description: '0: nobody takes the tasks of this queue.',
        unit: units.Short,
        queries: { '{{task_queue}}': 'sum by (task_queue) (temporal_num_pollers)' },
      }),
      lines({
        title: 'Tasks waited for a worker',
        description: 'The slowest twentieth, by task queue.',
        unit: units.Seconds,
        queries: {
          '{{task_queue}} workflow tasks': quantile(
            0.95,
            'temporal_workflow_task_schedule_to_start_latency_seconds',
            'task_queue',
          ),
          '{{task_queue}} activities': quantile(
            0.95,
            'temporal_activity_schedule_to_start_latency_seconds',
            'task_queue',
          ),
        },
      }),
      lines({
        title: 'Time of tasks',
        description: 'The slowest twentieth, by kind of activity.',
        unit: units.Seconds,
        queries: {
          'workflow tasks of {{workflow_type}}': quantile(
            0.95,
            'temporal_workflow_task_execution_latency_seconds',
            'workflow_type',
          ),
          '{{activity_type}}': quantile(0.95, 'temporal_activity_execution_latency_seconds', 'activity_type'),
          'reading by {{activity_type}}': quantile(
            0.95,
            'temporal_local_activity_execution_latency_seconds',
            'activity_type',
          ),
        },
      }),
      lines({
        title: 'Failed tasks',
        description: "Tries that failed; the worker's log has the error of each.",
        unit: units.CountsPerSecond,
        queries: {
          'workflow tasks': failures('temporal_workflow_task_execution_failed_total'),
          activities: failures('temporal_activity_execution_failed_total'),
          'reading rows': failures('temporal_local_activity_execution_failed_total'),
        },
      }),
      lines({
        title: 'Runs in memory',
        description: 'By task queue, of all workers.',
        unit: units.Short,
        queries: { '{{task_queue}}': 'sum by (task_queue) (temporal_sticky_cache_size)' },
      }),
    ],
    Queues: [
      lines({
        title: 'Notices and callbacks',
        description: 'Mails to approvers, authors and units; callbacks to producers.',
        unit: units.Short,
        queries: {
          'notices {{state}}': rows('carillon_notices', 'state'),
          'callbacks {{state}}': rows('carillon_callbacks', 'state'),
        },
      }),
      lines({
        title: 'Events, imports, erasures',
        description: 'Signed events without an outcome, and what is retried.',
        unit: units.Short,
        queries: {
          'events {{state}}': rows('carillon_events', 'state'),
          'imports {{state}}': rows('carillon_imports', 'state'),
          'erasures {{state}}': rows('carillon_erasures', 'state'),
        },
      }),
      lines({
        title: 'Failed rounds of background tasks',
        description: 'By task; the next round tries again. Purges by kind of row.',
        unit: units.CountsPerSecond,
        queries: {
          '{{task}}': rate('carillon_background_failures_total', 'task'),
          'purge of {{kind}}': rate('carillon_retention_failures_total', 'kind'),
        },
      }),
    ],
    Machine: [
      lines({
        title: 'CPU',
        description: 'Seconds of CPU in a second, by process.',
        unit: units.Short,
        queries: { '{{instance}}': 'rate(process_cpu_seconds_total{job="carillon"}[$__rate_interval])' },
      }),
      lines({
        title: 'Memory',
        description: 'Resident memory, by process.',
        unit: units.BytesIEC,
        queries: { '{{instance}}': 'process_resident_memory_bytes{job="carillon"}' },
      }),
      lines({
        title: 'Event loop',
        description: 'The slowest hundredth of its delays, by process.',
        unit: units.Seconds,
        queries: { '{{instance}}': 'nodejs_eventloop_lag_p99_seconds{job="carillon"}' },
      }),
    ],
  },
)
