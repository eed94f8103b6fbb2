/** How a schedule recurs, where a sentence can say it: at times of the day (`HH:MM`), on the days that are listed. */
export type Regularity = { times: string[] } & (
  | { every: 'day' }
  /** 0 is Sunday. */
  | { every: 'week'; days: number[] }
  /** `L` is the last day of the month. */
  | { every: 'month'; days: (number | 'L')[] }
)

/** The most times of a day that a sentence lists. */
const timesMost = 6

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** The regularity of a valid cron expression; null: only the expression itself says it. */
export function regularityOf(cron: string): Regularity | null {
  const [minute, hour, day, month, weekday] = cron.trim().toLowerCase().split(/ +/) as [string, ...string[]]
  const times = timesOf(valuesOf(hour!), valuesOf(minute))
  if (times === null || month !== '*') return null
  if (day === '*' && weekday === '*') return { every: 'day', times }
  if (day === '*') {
    const days = valuesOf(weekday!, (name) => weekdays.indexOf(name))
    return days && { every: 'week', times, days: sorted(days.map((one) => one % 7)) }
  }
  if (weekday !== '*') return null
  if (day === 'l') return { every: 'month', times, days: ['L'] }
  const days = valuesOf(day!)
  return days && { every: 'month', times, days: sorted(days) }
}

function timesOf(hours: number[] | null, minutes: number[] | null): string[] | null {
  if (hours === null || minutes === null || hours.length * minutes.length > timesMost) return null
  const two = (value: number) => String(value).padStart(2, '0')
  return sorted(hours).flatMap((hour) => sorted(minutes).map((minute) => `${two(hour)}:${two(minute)}`))
}

/** The values of a field that lists numbers, names and ranges of them; null: it says something else. */
function valuesOf(field: string, named: (name: string) => number = () => -1): number[] | null {
  const numberIn = (text: string) => (/^\d+$/.test(text) ? Number(text) : named(text))
  const values = field.split(',').flatMap((part) => {
    const [from, to = from] = part.split('-').map(numberIn) as [number, number?]
    if (from < 0 || to < from) return [-1]
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  })
  return values.includes(-1) ? null : values
}

function sorted(values: number[]): number[] {
  return [...new Set(values)].sort((one, other) => one - other)
}
