import type { Channel, Locale } from '../../../contract/enums.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import type { Forecast } from '../../../domain/audience/audience.ts'
import { channelEntries } from '../../../domain/lib/channel-entries.ts'
import { monthOf, numberOf } from '../kit/format.ts'
import { kitWords } from '../kit/words.ts'
import { factWords } from './words.ts'

/** `startsAt`: when the send begins, null or in the past: at once; `calls`: provider calls for one person, by channel. */
type Cost = {
  quota: Forecast['quota']
  unit: Pick<Unit, 'timeZone'>
  startsAt: string | null
  calls: Partial<Record<Channel, number>>
}

/** What a message costs, and whether it is there, by channel. */
export function costLines(locale: Locale, { quota, unit, startsAt, calls }: Cost): string[] {
  const words = factWords[locale]
  const { comma, colon, stop } = kitWords[locale]
  const planned = startsAt === null ? 0 : Date.parse(startsAt)
  const month = monthOf(locale, unit.timeZone, new Date(Math.max(planned, Date.now())).toISOString())
  const number = (count: number) => numberOf(locale, count)
  const lines = channelEntries(quota).map(([channel, of]) => {
    const parts = [words.cost(number(of.estimatedPushes), number(of.unitRemaining), month)]
    if (of.poolRemaining > 0) parts.push(words.pool(number(of.poolRemaining)))
    const each = calls[channel] ?? 1
    if (each > 1) parts.push(words.calls(number(each)))
    const verdict = of.wouldExceed ? words.notEnough : words.enough
    return `${words.channels[channel]}${colon}${parts.join(comma)}${stop}${verdict}`
  })
  return channelEntries(quota).some(([, { wouldExceed }]) => wouldExceed) ? [...lines, words.short] : lines
}
