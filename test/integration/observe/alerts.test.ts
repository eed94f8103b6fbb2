import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, it } from 'vitest'
import { stringify } from 'yaml'
import { alertsFile, readAlerts } from '../../fixtures/alerts.ts'
import { findPrometheus } from '../../harness/prometheus-tools.ts'

const tools = await findPrometheus()
const run = promisify(execFile)

/**
 * By alert, what makes it fire, as promtool writes series: a sample a minute. `a+bxn`: n more, each b above the last. The
 * second number is the minute from which it fires, if that is not the first that its `for` allows.
 */
const trouble: Record<string, [series: Record<string, string>, minute?: number]> = {
  CarillonRunsOverdue: [{ 'carillon_runs{kind="scenario",state="overdue"}': '1x200' }],
  CarillonRunsWedged: [{ 'carillon_runs{kind="message",state="wedged"}': '2x200' }],
  CarillonRunsRestarted: [{ 'carillon_runs{kind="message",state="restarted"}': '1x200' }],
  CarillonRunsParked: [{ 'carillon_runs_parked{kind="schedule",problem="internal"}': '1x200' }],
  CarillonProviderFails: [{ 'carillon_runs_parked{kind="message",problem="provider"}': '1x200' }],
  CarillonProviderQuotaExhausted: [
    { 'carillon_runs_parked{kind="message",problem="provider_quota"}': '1x200' },
  ],
  CarillonSendFailed: [{ carillon_failed_sends: '1x200' }],
  CarillonMailServerDoubted: [
    { 'carillon_mail_server_doubted_seconds{server="mail.example.edu",why="refused"}': '0+60x200' },
    1,
  ],
  CarillonSendsLate: [
    {
      'carillon_send_lag_seconds_bucket{le="300"}': '0x200',
      'carillon_send_lag_seconds_bucket{le="900"}': '0+5x200',
      'carillon_send_lag_seconds_bucket{le="+Inf"}': '0+5x200',
    },
    6,
  ],
  CarillonDeliveriesFail: [
    {
      'carillon_deliveries_total{channel="email",outcome="failed"}': '0+2x200',
      'carillon_deliveries_total{channel="email",outcome="sent"}': '0+10x200',
    },
    1,
  ],
  CarillonBatchesRetry: [{ 'carillon_batches_retrying_oldest_seconds{channel="chat"}': '4000x200' }],
  CarillonChannelRests: [{ 'carillon_channel_rest_seconds{channel="chat"}': '30x200' }],
  CarillonQuotaNearlyExhausted: [{ 'carillon_quota_ratio{channel="chat",scope="unit"}': '0.95x200' }],
  CarillonApprovalsWait: [{ carillon_approvals_oldest_seconds: '90000x200' }],
  CarillonApprovalsDue: [{ carillon_approvals_due_seconds: '50000x200' }],
  CarillonAcknowledgementsRefused: [
    { 'carillon_chat_acknowledgements_total{outcome="refused"}': '0+1x200' },
    1,
  ],
  CarillonTurnsFail: [
    {
      'carillon_turns_total{by="push",outcome="failed"}': '0+2x200',
      'carillon_turns_total{by="push",outcome="sent"}': '0+10x200',
    },
    1,
  ],
  CarillonScenarioRunsFail: [
    {
      'carillon_runs_ended_total{kind="scenario",outcome="failed"}': '0+2x200',
      'carillon_runs_ended_total{kind="scenario",outcome="done"}': '0+10x200',
    },
    1,
  ],
  CarillonLookupsFail: [
    {
      'carillon_lookups_total{outcome="timeout"}': '0+6x200',
      'carillon_lookups_total{outcome="found"}': '0+4x200',
    },
    6,
  ],
  CarillonHandoffsWait: [{ carillon_handoffs_oldest_seconds: '2000x200' }],
  CarillonLineStands: [{ carillon_line_stands_seconds: '0+60x200' }, 3],
  CarillonOccurrencesMissed: [{ 'carillon_occurrences_total{outcome="missed"}': '0+1x200' }, 1],
  CarillonNoticesRetry: [{ 'carillon_notices{state="retrying"}': '1x200' }],
  CarillonNoticesFail: [{ 'carillon_notices{state="failed"}': '0x50 1x150' }, 60],
  CarillonWebhookEventsOverdue: [{ 'carillon_webhook_events{state="overdue"}': '1x200' }],
  CarillonWebhookEventsFail: [{ 'carillon_webhook_events{state="failed"}': '0x50 1x150' }, 60],
  CarillonWebhookEventsUnreadable: [{ 'carillon_webhook_events{state="unreadable"}': '0x50 1x150' }, 60],
  CarillonWebhookEventsOutdated: [{ 'carillon_webhook_events_outdated_total{channel="chat"}': '0+1x200' }, 1],
  CarillonEventsOverdue: [{ 'carillon_events{state="overdue"}': '1x200' }],
  CarillonEventsFail: [{ 'carillon_events{state="failed"}': '0x50 1x150' }, 60],
  CarillonImportsRetry: [{ 'carillon_imports{state="retrying"}': '1x200' }],
  CarillonErasuresRetry: [{ 'carillon_erasures{state="retrying"}': '1x200' }],
  CarillonCallbacksFail: [{ 'carillon_callbacks{state="retrying"}': '1x50 9x150' }, 60],
  CarillonNumbersLag: [{ carillon_rollup_lag_seconds: '700x200' }],
  CarillonPurgeFails: [{ 'carillon_retention_failures_total{kind="webhooks"}': '0+1x200' }, 1],
  CarillonBackgroundTaskFails: [{ 'carillon_background_failures_total{task="run-wake"}': '0+1x200' }, 6],
  CarillonProcessDown: [{ 'up{job="carillon",instance="api-1:9464"}': '0x200' }],
  CarillonNoWorker: [{ 'temporal_num_pollers{task_queue="carillon",poller_type="workflow_task"}': '0x200' }],
  CarillonWorkersFull: [
    {
      'temporal_worker_task_slots_available{task_queue="carillon-chat",worker_type="ActivityWorker"}':
        '0x200',
      'temporal_worker_task_slots_used{task_queue="carillon-chat",worker_type="ActivityWorker"}': '32x200',
    },
  ],
  CarillonWakesFail: [{ 'carillon_wakes_total{outcome="dropped"}': '0+1x200' }, 31],
  CarillonWakesLost: [{ carillon_reconciler_wakes_total: '0+100x200' }, 31],
  CarillonDatabasePoolFull: [{ 'carillon_db_connections{state="waiting"}': '2x200' }],
  CarillonRequestsFail: [
    {
      'carillon_http_request_seconds_count{resource="messages",status="5xx"}': '0+2x200',
      'carillon_http_request_seconds_count{resource="messages",status="2xx"}': '0+10x200',
    },
    6,
  ],
  CarillonIntegrationFails: [{ 'carillon_integrations{integration="signIn",state="unavailable"}': '1x200' }],
}

/** An installation that works: the same metrics, and nothing that an alert asks for. */
const calm: Record<string, string> = {
  'up{job="carillon",instance="api-1:9464"}': '1x200',
  'temporal_num_pollers{task_queue="carillon",poller_type="workflow_task"}': '4x200',
  'temporal_worker_task_slots_available{task_queue="carillon",worker_type="ActivityWorker"}': '90x200',
  'carillon_runs{kind="message",state="overdue"}': '0x200',
  'carillon_runs_parked{kind="message",problem="quota"}': '3x200',
  'carillon_send_lag_seconds_bucket{le="1"}': '0+5x200',
  'carillon_send_lag_seconds_bucket{le="+Inf"}': '0+5x200',
  'carillon_deliveries_total{channel="chat",outcome="sent"}': '0+99x200',
  'carillon_deliveries_total{channel="chat",outcome="failed"}': '0+1x200',
  'carillon_turns_total{by="push",outcome="sent"}': '0+9x200',
  'carillon_runs_ended_total{kind="scenario",outcome="done"}': '0+9x200',
  'carillon_runs_ended_total{kind="scenario",outcome="failed"}': '0x200',
  'carillon_lookups_total{outcome="found"}': '0+9x200',
  'carillon_lookups_total{outcome="timeout"}': '0+1x200',
  'carillon_callbacks{state="retrying"}': '1x50 3x150',
  'carillon_notices{state="failed"}': '7x200',
  'carillon_wakes_total{outcome="sent"}': '0+9x200',
  carillon_reconciler_wakes_total: '0+1x200',
  'carillon_http_request_seconds_count{resource="messages",status="2xx"}': '0+99x200',
  'carillon_http_request_seconds_count{resource="messages",status="5xx"}': '0+1x200',
  'carillon_integrations{integration="avatar",state="not_configured"}': '1x200',
  'carillon_integrations{integration="avatar",state="misconfigured"}': '0x200',
}

type Expectation = { minute: number; alerts: string[] }

/** A test of promtool: with these series, the alerts that fire at each of these minutes. */
function testOf(
  series: Record<string, string>,
  expected: Expectation[],
  query = 'ALERTS{alertstate="firing"}',
) {
  return {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: expected.map(({ minute, alerts }) => ({
      expr: `count by (alertname) (${query})`,
      eval_time: `${minute}m`,
      exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    })),
  }
}

/** Fires at this minute, and not before. */
function fires(alert: string, after: string | undefined) {
  const [series, from = minutesOf(after)] = trouble[alert]!
  const others: Record<string, string> = alert === 'CarillonNoWorker' ? {} : { [pollers]: '4x200' }
  const query = `ALERTS{alertname="${alert}",alertstate="firing"}`
  const before = from === 0 ? [] : [{ minute: from - 1, alerts: [] }]
  return testOf({ ...series, ...others }, [...before, { minute: from, alerts: [alert] }], query)
}

const pollers = 'temporal_num_pollers{task_queue="carillon",poller_type="workflow_task"}'

function minutesOf(duration = '0m'): number {
  const [, count, unit] = /^(\d+)([mh])$/.exec(duration)!
  return Number(count) * (unit === 'h' ? 60 : 1)
}

/** Runs tests of rules; returns what promtool says of those that fail. */
async function promtool(...tests: object[]): Promise<string> {
  const file = join(inject('scratch'), 'alerts.test.yml')
  writeFileSync(file, stringify({ rule_files: [alertsFile], evaluation_interval: '1m', tests }))
  return run(tools!.promtool, ['test', 'rules', file]).then(
    () => '',
    ({ stderr, stdout }) => `${stdout}${stderr}`,
  )
}

describe.skipIf(tools === undefined)('deploy/alerts.yml', () => {
  it('holds rules that Prometheus accepts', async () => {
    const { stdout } = await run(tools!.promtool, ['check', 'rules', alertsFile])
    expect(stdout).toContain(`SUCCESS: ${readAlerts().length} rules found`)
  })

  it('is loaded by the Prometheus of docker-compose.yml', async () => {
    const config = join(dirname(alertsFile), 'prometheus.yml')
    const { stdout } = await run(tools!.promtool, ['check', 'config', config])
    expect(stdout).toMatch(/SUCCESS: 1 rule files found[\s\S]*SUCCESS: .*is valid prometheus config file/)
  })

  it('each alert fires when its trouble has lasted long enough, and not before', async () => {
    const alerts = readAlerts()
    expect(Object.keys(trouble)).toEqual(alerts.map(({ alert }) => alert))
    expect(await promtool(...alerts.map(({ alert, for: after }) => fires(alert, after)))).toBe('')
  })

  it('no alert fires while an installation works', async () => {
    const hours = [30, 90, 180].map((minute) => ({ minute, alerts: [] }))
    expect(await promtool(testOf(calm, hours))).toBe('')
  })

  it('a missing worker is noticed also where its metrics are gone', async () => {
    const gone = testOf({ 'up{job="carillon",instance="api-1:9464"}': '1x200' }, [
      { minute: 3, alerts: ['CarillonNoWorker'] },
    ])
    expect(await promtool(gone)).toBe('')
  })
})
