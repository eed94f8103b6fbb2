/** Rules about instants, days and intervals. */
export const timeRules = {
  in_the_past: ({ of }: { of?: 'deadline' } = {}) =>
    of === 'deadline' ? 'must be later than now' : 'must be in the future',
  not_after: ({ than }: { than: Earlier }) =>
    `must be later than ${than === 'sendTime' ? 'the send time' : than}`,
  not_before: ({ than }: { than: 'expiresAt' }) => `must be earlier than ${than}`,
  not_less: ({ than }: { than: 'expiresAfterSeconds' }) => `must be less than ${than}`,
  same_time: 'must not begin and end at the same time',
  too_far_ahead: ({ limit }: { limit: number; unit: 'days' }) => `must be at most ${limit} days ahead`,
  too_frequent: ({ limit }: { limit: number; unit: 'minutes' }) =>
    `must have occurrences that are at least ${limit} minutes apart, also around midnight`,
  no_such_day: ({ of }: { of?: 'cron' } = {}) =>
    of === 'cron' ? 'must name a day of the calendar' : 'must be a day of the calendar',
  year_out_of_range: 'must be in the years 1 to 9999, also in UTC',
  offset_too_large: 'must have an offset of at most 14:00',
  too_precise: 'must have at most nine fractional digits of a second',
  unknown_time_zone: ({ value }: { value: string }) =>
    `must be a time zone that the database knows; choose another name for ${value}`,
}

/** What must come first. */
export type Earlier = 'start' | 'scheduleAt' | 'sendTime'
