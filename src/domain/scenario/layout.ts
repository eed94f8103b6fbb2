/** The boxes of a graph and the labels of its arrows in px, by which it is laid out. Arrows name boxes by their index. */
export type GraphSizes = {
  boxes: { width: number; height: number }[]
  arrows: { from: number; to: number; width: number; height: number }[]
}

/**
 * Where the middle of each box and label stands, and by which points each arrow leads; in the order of the sizes. In
 * px.
 */
export type GraphLayout = {
  width: number
  height: number
  boxes: Point[]
  arrows: (Point & { points: Point[] })[]
}
export type Point = { x: number; y: number }

/** A length of a picture, rounded to a tenth of a px. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
