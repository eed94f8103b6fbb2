import type { LocalisedText } from '../../contract/localised-text.ts'

/** A text breaks a rule that Carillon adds to Liquid's. */
export class TemplateFault extends Error {
  readonly reason: LocalisedText

  constructor(reason: LocalisedText & { en: string }) {
    super(reason.en)
    this.name = 'TemplateFault'
    this.reason = reason
  }
}
