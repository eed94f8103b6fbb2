import { z } from 'zod'
import { limits } from './limits.ts'

/** A text in English. An empty one counts as omitted. */
const English = z
  .string()
  .optional()
  .describe('English. Omitted or empty: readers of English get the Chinese text.')

export const LocalisedText = z
  .strictObject({
    'zh-TW': z.string().min(1).describe('Traditional Chinese as written in Taiwan. Always present.'),
    en: English,
  })
  .overwrite(withoutEmptyEnglish)
  .meta({
    id: 'LocalisedText',
    description: "A text in the recipient's language: `zh-TW`, and optionally `en`.",
  })
export type LocalisedText = z.infer<typeof LocalisedText>

const name = z.string().trim().min(1).max(limits.nameLength)

export const LocalisedName = z
  .strictObject({
    'zh-TW': name.describe('Traditional Chinese as written in Taiwan.'),
    en: z
      .string()
      .trim()
      .max(limits.nameLength)
      .optional()
      .describe('English. Omitted or empty: readers of English get the Chinese name.'),
  })
  .overwrite(withoutEmptyEnglish)
  .meta({
    id: 'LocalisedName',
    description: `A name in both languages, each of at most ${limits.nameLength} characters.`,
  })

/** Drops an empty `en`, as forms send it for a text that was not translated. */
export function withoutEmptyEnglish(text: { 'zh-TW': string; en?: string | undefined }) {
  const { en, ...others } = text
  return en ? { ...others, en } : others
}
