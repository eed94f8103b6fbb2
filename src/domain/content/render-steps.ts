import { limits } from '../../contract/limits.ts'
import { TemplateFault } from './template-fault.ts'

/**
 * Counts what it costs to read and render texts together. Nothing is timed: the same texts get the same answer on every
 * machine, however busy it is (docs/design/templates.md). It counts in characters; `limits.charactersPerStep` of
 * them are a step, and so is a part of a text that is rendered.
 */
export type RenderMeter = {
  /** Characters, at most `most`. */
  used: number
  readonly most: number
  /** Something was refused. */
  exceeded?: true
  /** What also has a limit for them and others: all texts of a simulation. */
  readonly within?: RenderMeter
  /** On a thread that also serves or sends: what takes more is left to another. */
  readonly here?: true
}

/** A text takes more than may be rendered on a thread that serves or sends. It is no fault of the text. */
export class NeedsThread extends Error {
  constructor() {
    super('the texts need a thread of their own')
    this.name = 'NeedsThread'
  }
}

/** For at most so many steps. */
export function renderMeter(steps: number, within?: RenderMeter): RenderMeter {
  return { used: 0, most: steps * limits.charactersPerStep, ...(within && { within }) }
}

/** For texts that are short enough for a thread that serves or sends: less than a millisecond (bench N1). */
export function meterHere(): RenderMeter {
  return { ...renderMeter(limits.renderStepsHere), here: true }
}

/** For the texts of one message, which may be among others. */
export function messageMeter(meter: RenderMeter): RenderMeter {
  return meter.here ? meter : renderMeter(limits.renderSteps, meter)
}

/** The steps that so many characters make. */
export function stepsOf(characters: number): number {
  return Math.ceil(characters / limits.charactersPerStep)
}

/**
 * Counts characters, before they are handled.
 * @throws NeedsThread; TemplateFault if there are not as many left; nothing is counted then, nor done
 */
export function spend(meter: RenderMeter, characters: number): void {
  if (!(characters > 0)) return
  if (meter.used + characters > meter.most) {
    if (meter.here) throw new NeedsThread()
    meter.exceeded = true
    throw tooManySteps(stepsOf(meter.most), stepsOf(meter.used))
  }
  if (meter.within) spend(meter.within, characters)
  meter.used += characters
}

function tooManySteps(most: number, before: number): TemplateFault {
  const [limit, used] = [most, before].map((steps) => steps.toLocaleString('en'))
  return new TemplateFault({
    'zh-TW': `所需的步驟超過上限 ${limit} 步，到這裡已經用了 ${used} 步（每個片段，或每讀寫 ${limits.charactersPerStep} 個字，算一步）。請減少迴圈的次數，或縮短清單`,
    en:
      `it takes more than the ${limit} steps that there are for it, and ${used} are used up to here (a step is a part of a ` +
      `text, or ${limits.charactersPerStep} characters that are read or written). Reduce loop iterations, or shorten lists`,
  })
}
