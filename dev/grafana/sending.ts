import * as units from '@grafana/grafana-foundation-sdk/units'
import { dashboardOf, figure, levels, lines, quantile, rate, rates, rows } from './panels.ts'

/** Messages: what was sent, how late, and what is held back. */
export const sending = dashboardOf(
  {
    uid: 'carillon-sending',
    title: 'Carillon: sending',
    description: 'What is sent, how late, and what is held back.',
  },
  {
    Now: [
      figure({
        title: 'Overdue runs',
        description: 'Runs that are at least a minute late.',
        unit: units.Short,
        queries: { runs: `sum(${rows('carillon_runs{state="overdue"}', 'kind')})` },
        alarming: 1,
      }),
      figure({
        title: 'Wedged runs',
        description: 'Runs whose workflow task keeps failing.',
        unit: units.Short,
        queries: { runs: `sum(${rows('carillon_runs{state="wedged"}', 'kind')})` },
        alarming: 1,
      }),
      figure({
        title: 'Parked',
        description:
          'Messages and other runs that wait for a provider, for quota, or for an error to be mended.',
        unit: units.Short,
        queries: { parked: `sum(${rows('carillon_runs_parked', 'kind', 'problem')})` },
        alarming: 1,
      }),
      figure({
        title: 'Longest wait for an approval',
        description: 'Since the message last came to review.',
        unit: units.Seconds,
        queries: { wait: 'max(carillon_approvals_oldest_seconds)' },
        alarming: 86_400,
      }),
      figure({
        title: 'First planned send without an approval',
        description: 'Until its planned time; infinite if none is planned.',
        unit: units.Seconds,
        queries: { due: 'min(carillon_approvals_due_seconds)' },
      }),
      figure({
        title: 'Quota used',
        description: "This month's highest use of all units and the pool.",
        unit: units.PercentUnit,
        queries: { used: 'max(carillon_quota_ratio)' },
        alarming: 0.9,
      }),
      figure({
        title: 'Numbers are behind',
        description: 'How long ago the oldest send finished that is not in the numbers of its unit.',
        unit: units.Seconds,
        queries: { behind: 'max(carillon_rollup_lag_seconds)' },
        alarming: 600,
      }),
    ],
    Deliveries: [
      rates({
        title: 'Deliveries by outcome',
        description: 'Recipients a second, by channel. Excluded people are skipped.',
        metric: 'carillon_deliveries_total',
        by: ['channel', 'outcome'],
      }),
      lines({
        title: 'Send lag',
        description:
          'From the moment at which a message was due to the moment at which a recipient was sent to.',
        unit: units.Seconds,
        queries: {
          median: quantile(0.5, 'carillon_send_lag_seconds'),
          'slowest hundredth': quantile(0.99, 'carillon_send_lag_seconds'),
        },
      }),
      rates({
        title: 'Messages ended',
        description: 'By the state in which they ended.',
        metric: 'carillon_runs_ended_total{kind="message"}',
        by: ['outcome'],
      }),
    ],
    Providers: [
      lines({
        title: 'Requests by status',
        description: 'Requests to the providers; for mail, each mail. 409: accepted before. 429: too fast.',
        unit: units.RequestsPerSecond,
        queries: {
          '{{channel}} {{status}}': rate('carillon_provider_request_seconds_count', 'channel', 'status'),
        },
      }),
      lines({
        title: 'Time of a request',
        description: 'The slowest twentieth, by channel.',
        unit: units.Seconds,
        queries: { '{{channel}}': quantile(0.95, 'carillon_provider_request_seconds', 'channel') },
      }),
      levels({
        title: 'Rests',
        description: 'How long a provider still asks for a pause.',
        unit: units.Seconds,
        metric: 'carillon_channel_rest_seconds',
        by: ['channel'],
      }),
    ],
    'Held back': [
      levels({
        title: 'Parked by problem',
        description:
          'provider, provider_quota and quota wait for these, unknown_recipients for a mail server that is believed; ' +
          'internal is retried every hour.',
        unit: units.Short,
        metric: 'carillon_runs_parked',
        by: ['kind', 'problem'],
      }),
      lines({
        title: 'Deferred batches',
        description:
          'Batches of recipients that keep failing while others succeed; and sends of 20 people or more that reached fewer ' +
          'than half, within the last hour.',
        unit: units.Short,
        queries: {
          '{{channel}}': rows('carillon_batches_retrying', 'channel'),
          'failed sends': 'max(carillon_failed_sends)',
        },
      }),
      lines({
        title: 'Oldest deferred batch',
        description:
          'How long the oldest of them has been deferred; and for how long a mail server has known so few recipients that ' +
          'it is not believed.',
        unit: units.Seconds,
        queries: {
          '{{channel}}': rows('carillon_batches_retrying_oldest_seconds', 'channel'),
          '{{server}} {{why}}': `${rows('carillon_mail_server_doubted_seconds', 'server', 'why')} or vector(0)`,
        },
      }),
      levels({
        title: 'Quota used',
        description: 'Reserved and sent this month: the highest of all units, and the pool.',
        unit: units.PercentUnit,
        metric: 'carillon_quota_ratio',
        by: ['channel', 'scope'],
      }),
    ],
  },
)
