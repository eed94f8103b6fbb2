/**
 * Preloaded into a process (`node --import`), this makes its clock wrong by CLOCK_SHIFT_MS: Date, not the monotonic
 * clock of performance.now, as on a machine whose time was set wrongly.
 */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS)
const TrueDate = Date

class ShiftedDate extends TrueDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(TrueDate.now() + shiftMs)
    else super(...(args as [number]))
  }

  static override now(): number {
    return TrueDate.now() + shiftMs
  }
}

globalThis.Date = ShiftedDate as DateConstructor
