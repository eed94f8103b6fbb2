import { z } from 'zod'
import { limits } from './limits.ts'

/** A text in English. An empty one counts as omitted. */
export const English = z.string().optional().meta({ description: 'An empty text counts as omitted.' })

/** Text in the recipient's language: `zh-TW` is required, `en` optional. */
export const LocalisedText = z
  .strictObject({ 'zh-TW': z.string().min(1), en: English })
  .overwrite(withoutEmptyEnglish)
  .meta({ id: 'LocalisedText' })
export type LocalisedText = z.infer<typeof LocalisedText>

const name = z.string().trim().min(1).max(limits.nameLength)

/** The name of something in both languages. */
export const LocalisedName = z
  .strictObject({ 'zh-TW': name, en: z.string().trim().max(limits.nameLength).optional() })
  .overwrite(withoutEmptyEnglish)
  .meta({ id: 'LocalisedName' })

/** Drops an empty `en`, as forms send it for a text that was not translated. */
export function withoutEmptyEnglish(text: { 'zh-TW': string; en?: string | undefined }) {
  const { en, ...others } = text
  return en ? { ...others, en } : others
}
