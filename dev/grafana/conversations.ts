import * as units from '@grafana/grafana-foundation-sdk/units'
import { dashboardOf, figure, levels, lines, quantile, rates } from './panels.ts'

/** Scenarios, Lookups, handoffs and schedules. */
export const conversations = dashboardOf(
  {
    uid: 'carillon-conversations',
    title: 'Carillon: conversations',
    description: 'What scenarios say and hear, Lookups, handoffs and schedules.',
  },
  {
    Scenarios: [
      rates({
        title: 'Runs ended',
        description: 'Conversations by the state in which they ended.',
        metric: 'carillon_runs_ended_total{kind="scenario"}',
        by: ['outcome'],
      }),
      rates({
        title: 'Turns',
        description: 'What scenarios said: by reply (free), push or mail; none: not tried.',
        metric: 'carillon_turns_total',
        by: ['by', 'outcome'],
      }),
      rates({
        title: 'Answers',
        description: 'What people tapped or typed at questions.',
        metric: 'carillon_scenario_answers_total',
        by: ['outcome'],
      }),
    ],
    Lookups: [
      rates({
        title: 'Lookups by outcome',
        description: 'Questions to the systems of producers; all but found take the edge for errors.',
        metric: 'carillon_lookups_total',
        by: ['outcome'],
      }),
      lines({
        title: 'Time of a Lookup',
        description: 'From opening the connection to the end of the answer. After 5 s it is a timeout.',
        unit: units.Seconds,
        queries: {
          median: quantile(0.5, 'carillon_lookup_seconds'),
          'slowest twentieth': quantile(0.95, 'carillon_lookup_seconds'),
        },
      }),
    ],
    'People and schedules': [
      rates({
        title: 'Handoffs',
        description: 'Opened, and closed: by the unit, the assistant, silence, a time-out.',
        metric: 'carillon_handoffs_total',
        by: ['event'],
      }),
      figure({
        title: 'Longest wait in a handoff',
        description: 'Of a person for an answer of the unit.',
        unit: units.Seconds,
        queries: { wait: 'max(carillon_handoffs_oldest_seconds)' },
        alarming: 1_800,
      }),
      rates({
        title: 'Replies in handoffs',
        description: 'Replies of units, by outcome.',
        metric: 'carillon_handoff_replies_total',
        by: ['outcome'],
      }),
      rates({
        title: 'Occurrences of schedules',
        description: 'What became of the times at which schedules were due.',
        metric: 'carillon_occurrences_total',
        by: ['outcome'],
      }),
    ],
    'What people do in the chat': [
      figure({
        title: 'Standing line',
        description: 'How long no conversation has begun in the unit whose line of them has stood longest.',
        unit: units.Seconds,
        queries: { stands: 'max(carillon_line_stands_seconds)' },
        alarming: 60,
      }),
      levels({
        title: 'Events that wait or failed',
        description:
          'Events of the channels: without an outcome for a minute, failed for good, or unreadable.',
        unit: units.Short,
        metric: 'carillon_webhook_events',
        by: ['state'],
      }),
      rates({
        title: 'Replies to taps',
        description: 'late: the token no longer works. dropped: too many at once.',
        metric: 'carillon_chat_acknowledgements_total',
        by: ['outcome'],
      }),
      rates({
        title: 'Outdated events',
        description: 'Events that came after their retention, which are dropped.',
        metric: 'carillon_webhook_events_outdated_total',
        by: ['channel'],
      }),
    ],
  },
)
