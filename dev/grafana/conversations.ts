import * as units from '@grafana/grafana-foundation-sdk/units'
import { dashboardOf, lines, quantile, rate, rows } from './panels.ts'

/** Scenarios, Lookups, handoffs and schedules. */
export const conversations = dashboardOf(
  {
    uid: 'carillon-conversations',
    title: 'Carillon: conversations',
    description: 'What scenarios say and hear, Lookups, handoffs and schedules.',
  },
  {
    Scenarios: [
      lines({
        title: 'Runs ended',
        description: 'Conversations by the state in which they ended.',
        unit: units.CountsPerSecond,
        queries: { '{{outcome}}': rate('carillon_runs_ended_total{kind="scenario"}', 'outcome') },
      }),
      lines({
        title: 'Turns',
        description: 'What scenarios said: by reply (free), push or mail; none: not tried.',
        unit: units.CountsPerSecond,
        queries: { '{{by}} {{outcome}}': rate('carillon_turns_total', 'by', 'outcome') },
      }),
      lines({
        title: 'Answers',
        description: 'What people tapped or typed at questions.',
        unit: units.CountsPerSecond,
        queries: { '{{outcome}}': rate('carillon_scenario_answers_total', 'outcome') },
      }),
    ],
    Lookups: [
      lines({
        title: 'Lookups by outcome',
        description: 'Questions to the systems of producers; all but found take the edge for errors.',
        unit: units.CountsPerSecond,
        queries: { '{{outcome}}': rate('carillon_lookups_total', 'outcome') },
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
      lines({
        title: 'Handoffs',
        description: 'Opened, and closed: by the unit, the assistant, silence, a time-out.',
        unit: units.CountsPerSecond,
        queries: { '{{event}}': rate('carillon_handoffs_total', 'event') },
      }),
      lines({
        title: 'Replies in handoffs',
        description: 'Replies of units, by outcome.',
        unit: units.CountsPerSecond,
        queries: { '{{outcome}}': rate('carillon_handoff_replies_total', 'outcome') },
      }),
      lines({
        title: 'Occurrences of schedules',
        description: 'What became of the times at which schedules were due.',
        unit: units.CountsPerSecond,
        queries: { '{{outcome}}': rate('carillon_occurrences_total', 'outcome') },
      }),
    ],
    'What people do in the chat': [
      lines({
        title: 'Events that wait or failed',
        description:
          'Events of the channels: without an outcome for a minute, failed for good, or unreadable.',
        unit: units.Short,
        queries: { '{{state}}': rows('carillon_webhook_events', 'state') },
      }),
      lines({
        title: 'Replies to taps',
        description: 'late: the token no longer works. dropped: too many at once.',
        unit: units.CountsPerSecond,
        queries: { '{{outcome}}': rate('carillon_chat_acknowledgements_total', 'outcome') },
      }),
      lines({
        title: 'Outdated events',
        description: 'Events that came after their retention, which are dropped.',
        unit: units.CountsPerSecond,
        queries: { '{{channel}}': rate('carillon_webhook_events_outdated_total', 'channel') },
      }),
    ],
  },
)
