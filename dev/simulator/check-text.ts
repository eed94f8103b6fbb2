import { z } from 'zod'

/** Text that the provider accepts: not blank, well-formed, at most `max` UTF-16 code units. */
export const text = (max: number) =>
  z
    .string()
    .refine((value) => /\S/u.test(value), 'May not be empty')
    .refine((value) => value.isWellFormed(), 'Must be valid Unicode')
    .refine((value) => value.length <= max, `Length must be between 0 and ${max}`)

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Text whose length the provider counts in grapheme clusters. */
export const graphemes = (max: number) =>
  text(Number.POSITIVE_INFINITY).refine(
    (value) => value.length <= max || [...segmenter.segment(value)].length <= max,
    `Length must be between 0 and ${max}`,
  )

/** The URL of an image; of one on this machine, where nothing has a certificate, without TLS. */
export const imageUrl = z
  .string()
  .regex(/^(https:\/\/|http:\/\/127\.0\.0\.1[:/])[\x21-\x7e]+$/, 'Must be a valid HTTPS URL')
  .max(2_000, 'Length must be between 0 and 2000')

/** The URI of a button. */
export const link = z
  .string()
  .regex(/^(https?:\/\/|line:\/\/|tel:)[\x21-\x7e]+$/, 'Must be a valid URI')
  .max(1_000, 'Length must be between 0 and 1000')

/** Rejects a value whose JSON is larger than `max` bytes. */
export const within = (max: number) =>
  [
    (value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= max,
    `Size must be at most ${max} bytes`,
  ] as const
