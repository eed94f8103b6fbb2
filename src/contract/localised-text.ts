import { z } from 'zod'

/** Text in the recipient's language: `zh-TW` is required, `en` optional. */
export const LocalisedText = z
  .strictObject({
    'zh-TW': z.string().min(1),
    en: z.string().min(1).optional(),
  })
  .meta({ id: 'LocalisedText' })
export type LocalisedText = z.infer<typeof LocalisedText>
