/**
 * Measures the floor, ours, and the floor again: a machine that has more or less to do meanwhile does it to both alike.
 * Answers ours and the mean of the floors.
 */
export async function bracket<Ours>(
  floor: (nth: 1 | 2) => Promise<number>,
  ours: () => Promise<Ours>,
): Promise<{ ours: Ours; floor: number; floors: [number, number] }> {
  const before = await floor(1)
  const measured = await ours()
  const floors: [number, number] = [before, await floor(2)]
  return { ours: measured, floor: (floors[0] + floors[1]) / 2, floors }
}

/** How far the two floors lay apart, for whoever wants to know how noisy the machine was. */
export function floorsNote([before, after]: [number, number], unit: string): string {
  return `floor before and after: ${before.toFixed(1)} and ${after.toFixed(1)} ${unit}`
}
