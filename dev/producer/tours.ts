/** A campus tour as the producer's system knows it, in both languages. `left`: how many places are free. */
type Tour = {
  day: { zh: string; en: string }
  starts: string
  place: { zh: string; en: string }
  left: number
}

const tours: Record<string, Tour> = {
  sat: {
    day: { zh: '星期六（12/5）', en: 'Saturday, 5 December' },
    starts: '10:00',
    place: { zh: '總圖書館正門', en: 'the main library' },
    left: 12,
  },
  sun: {
    day: { zh: '星期日（12/6）', en: 'Sunday, 6 December' },
    starts: '14:00',
    place: { zh: '總圖書館正門', en: 'the main library' },
    left: 0,
  },
}

/** The tour on the day that a Lookup names in its query; undefined if there is none. */
export function tourOn(query: string): Tour | undefined {
  const day = new URLSearchParams(query).get('day') ?? ''
  return Object.hasOwn(tours, day) ? tours[day] : undefined
}
