import fc from 'fast-check'
import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { type CalendarFile, writeCalendarFile } from '../../../src/channels/calendar-file.ts'

const file: CalendarFile = {
  uid: '0193@hub.example.edu',
  madeAt: Date.parse('2026-11-01T00:00:00Z'),
  entry: {
    start: '2026-12-01T09:00:00+08:00',
    end: '2026-12-01T11:30:00+08:00',
    title: { 'zh-TW': '校園開放日；參觀、午餐', en: 'Open day; tours, lunch' },
    location: { 'zh-TW': '大禮堂，\\ 一樓' },
  },
  unit: { name: { 'zh-TW': '教務處「註冊組」' }, timeZone: 'Asia/Taipei' },
  organiser: 'no-reply@hub.example.edu',
}

/** A file as a calendar program reads it. */
function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!)
  const status = event.component.getFirstPropertyValue('status')
  return { method: calendar.getFirstPropertyValue('method'), event, status }
}

describe('a calendar file', () => {
  it('is read as it was meant, in the zone of its unit', () => {
    const { method, event, status } = read(writeCalendarFile(file, 'zh-TW'))
    expect(method).toBe('PUBLISH')
    expect(status).toBe('CONFIRMED')
    expect(event.summary).toBe('校園開放日；參觀、午餐')
    expect(event.location).toBe('大禮堂，\\ 一樓')
    expect(event.startDate.zone.tzid).toBe('Asia/Taipei')
    expect(event.startDate.toString()).toBe('2026-12-01T09:00:00')
    expect(event.startDate.toJSDate()).toEqual(new Date('2026-12-01T01:00:00Z'))
    expect(event.endDate.toJSDate()).toEqual(new Date('2026-12-01T03:30:00Z'))
  })

  it('is cancelled under the same UID, with a higher sequence', () => {
    const [calendar, gone] = [false, true].map((cancelled) =>
      read(writeCalendarFile(file, 'en', { cancelled })),
    )
    expect(gone).toMatchObject({ method: 'CANCEL', status: 'CANCELLED' })
    expect(gone!.event.uid).toBe(calendar!.event.uid)
    expect(gone!.event.sequence).toBeGreaterThan(calendar!.event.sequence)
  })

  it('of an entry that changed has the sequence of the change, and its moment', () => {
    const text = writeCalendarFile({ ...file, madeAt: Date.parse('2026-11-05T10:20:30Z') }, 'en', {
      sequence: 7,
    })
    const { event } = read(text)
    expect(event.sequence).toBe(7)
    expect(text).toContain('DTSTAMP:20261105T102030Z')
  })

  it.each(['教務處 "招生組"', '"', 'A; B: C, D', '教務處\n(招生組)', "O'Neil \\ Co", "^ caret ^n ^'"])(
    'names its unit as it is called: %s',
    (name) => {
      const unit = { ...file.unit, name: { 'zh-TW': name } }
      const { event } = read(writeCalendarFile({ ...file, unit }, 'zh-TW'))
      expect(event.organizer).toBe('mailto:no-reply@hub.example.edu')
      expect(event.component.getFirstProperty('organizer')!.getFirstParameter('cn')).toBe(name)
    },
  )

  it.each([
    ['Asia/Calcutta', 'Asia/Kolkata', 5.5],
    ['Asia/Kolkata', 'Asia/Kolkata', 5.5],
    ['Asia/Saigon', 'Asia/Ho_Chi_Minh', 7],
    ['Europe/Kiev', 'Europe/Kyiv', 2],
    ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires', -3],
    ['Asia/Taipei', 'Asia/Taipei', 8],
    ['asia/taipei', 'Asia/Taipei', 8],
    ['UTC', 'Etc/UTC', 0],
  ])('names and defines the zone %s as %s', (timeZone, canonical, hours) => {
    const text = writeCalendarFile({ ...file, unit: { ...file.unit, timeZone } }, 'zh-TW')
    const named = [...text.matchAll(/TZID[=:]([\w/+-]+)/g)].map(([, name]) => name)
    expect(new Set(named)).toEqual(new Set([canonical]))
    const { event } = read(text)
    expect(event.startDate.zone.tzid).toBe(canonical)
    expect(event.startDate.toJSDate()).toEqual(new Date('2026-12-01T01:00:00Z'))
    const wall = new Date(Date.parse('2026-12-01T01:00:00Z') + hours * 3_600_000).toISOString().slice(0, 19)
    expect(event.startDate.toString()).toBe(wall)
  })

  it('follows a clock that changes', () => {
    const entry = { ...file.entry, start: '2027-03-28T00:30:00Z', end: '2027-03-28T01:30:00Z' }
    const { event } = read(
      writeCalendarFile({ ...file, entry, unit: { ...file.unit, timeZone: 'Europe/Berlin' } }, 'en'),
    )
    expect(event.startDate.toString()).toBe('2027-03-28T01:30:00')
    expect(event.endDate.toString()).toBe('2027-03-28T03:30:00')
    expect(event.startDate.toJSDate()).toEqual(new Date(entry.start))
    expect(event.endDate.toJSDate()).toEqual(new Date(entry.end))
  })

  it('without an end lasts an hour', () => {
    const { end: _, ...open } = file.entry
    const { event } = read(writeCalendarFile({ ...file, entry: open }, 'en'))
    expect(event.duration.toSeconds()).toBe(3_600)
  })

  it('has lines of at most 75 octets, and any text as it was written', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).map((one) => one.trim())
    fc.assert(
      fc.property(text.filter(Boolean), text, (title, place) => {
        const entry = {
          ...file.entry,
          title: { 'zh-TW': title },
          ...(place && { location: { 'zh-TW': place } }),
        }
        const output = writeCalendarFile({ ...file, entry }, 'zh-TW')
        for (const line of output.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        const { event } = read(output)
        expect(event.summary).toBe(title)
        if (place) expect(event.location).toBe(place)
      }),
      { numRuns: 200 },
    )
  })
})
