import { z } from 'zod'
import { limits } from './limits.ts'

/** Text in the recipient's language: `zh-TW` is required, `en` optional. */
export const LocalisedText = z
  .strictObject({
    'zh-TW': z.string().min(1),
    en: z.string().min(1).optional(),
  })
  .meta({ id: 'LocalisedText' })
export type LocalisedText = z.infer<typeof LocalisedText>

const name = z.string().trim().min(1).max(limits.nameLength)

/** The name of something in both languages. */
export const LocalisedName = z
  .strictObject({ 'zh-TW': name, en: name.optional() })
  .meta({ id: 'LocalisedName' })
