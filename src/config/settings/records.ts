import { isTimeZone } from '../../contract/common.ts'
import { days, type Parser } from '../parser.ts'
import type { Setting } from '../setting.ts'

const timeZone: Parser<string> = {
  takes: 'an IANA time zone name of an area and a place, such as Asia/Taipei, or UTC',
  read: (input) => (isTimeZone(input) ? input : undefined),
}

/** The quota's calendar. */
export const quotaSettings = {
  QUOTA_TIME_ZONE: {
    means:
      'The time zone whose calendar months the quota is counted in, the same for all processes and the command line.',
    kind: timeZone,
    default: 'Asia/Taipei',
    readBy: ['api', 'worker', 'cli'],
  },
} satisfies Record<string, Setting>

/** How long rows are kept. Counts are always kept. */
export const retentionSettings = {
  RETENTION_MESSAGES_DAYS: {
    means:
      'Of closed messages: texts and variables, the recipients they name, and the addresses in their provider calls; ' +
      'schedules that are over; messages that were being written, and that nobody has touched since.',
    kind: days,
    unit: 'days',
    default: '365',
    readBy: ['worker', 'cli'],
  },
  RETENTION_DELIVERIES_DAYS: {
    means: 'Deliveries, with recipient and outcome. Deleted by whole months.',
    kind: days,
    unit: 'days',
    default: '730',
    readBy: ['worker', 'cli'],
  },
  RETENTION_ANSWERS_DAYS: {
    means: "Recipients' answers to closed messages, and recipients who followed tracked links of mails.",
    kind: days,
    unit: 'days',
    default: '730',
    readBy: ['worker', 'cli'],
  },
  RETENTION_RUNS_DAYS: {
    means:
      'Of ended runs of scenarios: the person, variables, texts, answers and paths; counts by node and ' +
      'edge are kept. Of closed handoffs: the person, and the messages.',
    kind: days,
    unit: 'days',
    default: '365',
    readBy: ['worker', 'cli'],
  },
  RETENTION_EVENTS_DAYS: {
    means: 'The data of events. Their source and outcome are kept; events without a result are deleted.',
    kind: days,
    unit: 'days',
    default: '90',
    readBy: ['worker', 'cli'],
  },
  RETENTION_WEBHOOKS_DAYS: {
    means: 'Webhook events of the channels; older ones that arrive are counted and dropped.',
    kind: days,
    unit: 'days',
    default: '30',
    readBy: ['api', 'worker', 'cli'],
  },
  RETENTION_WORK_DAYS: {
    means: 'Ended sessions, notices, callback deliveries, imports and occurrences of schedules.',
    kind: days,
    unit: 'days',
    default: '30',
    readBy: ['worker', 'cli'],
  },
  RETENTION_AUDIT_DAYS: {
    means:
      'The audit log, and the changes of groups. The entries of a message are kept at least as long as its text.',
    kind: days,
    unit: 'days',
    default: '2555',
    readBy: ['worker', 'cli'],
  },
} satisfies Record<string, Setting>
