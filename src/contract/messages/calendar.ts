import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import { DateTime } from '../common.ts'
import { limits } from '../limits.ts'
import { withoutEmptyEnglish } from '../localised-text.ts'

const text = z.string().trim().max(limits.nameLength)
const Text = z
  .strictObject({
    'zh-TW': text.min(1).describe('Traditional Chinese as written in Taiwan. Always present.'),
    en: text.optional().describe('English. Omitted or empty: readers of English get the Chinese text.'),
  })
  .overwrite(withoutEmptyEnglish)

/** What recipients can add to their calendar. */
export const CalendarEntry = z
  .strictObject({
    start: DateTime.describe('When it begins: ISO 8601 with an offset.'),
    end: DateTime.optional().describe(
      'When it ends: ISO 8601 with an offset, after `start`. Omitted: an hour later.',
    ),
    title: Text.optional().describe(
      `What it is, at most ${limits.nameLength} characters. Omitted: the title of the message or pattern.`,
    ),
    location: Text.optional().describe(
      `Where it is, at most ${limits.nameLength} characters. Omitted: nowhere.`,
    ),
  })
  .refine(({ start, end }) => end === undefined || Date.parse(end) > Date.parse(start), {
    path: ['end'],
    ...orBroken('not_after', { than: 'start' }),
  })
  .meta({
    id: 'CalendarEntry',
    description:
      'An entry for the calendars of the recipients: a button 加入行事曆 (Add to calendar) in the chat and in mails, which ' +
      'have the file attached too.',
  })
export type CalendarEntry = z.infer<typeof CalendarEntry>
