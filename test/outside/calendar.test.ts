import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { writeCalendarFile } from '../../src/channels/calendar-file.ts'
import { patient } from '../integration/faults/counts.ts'
import { findPython, pythonCommands, run } from './python/environment.ts'

const python = findPython()

const file = {
  uid: '0193@hub.example.edu',
  madeAt: Date.parse('2026-11-01T00:00:00Z'),
  entry: {
    start: '2027-03-28T00:30:00Z',
    end: '2027-03-28T01:30:00Z',
    title: { 'zh-TW': '校園開放日；參觀、午餐，以及一段長得必須折成好幾行的說明文字' },
    location: { 'zh-TW': '大禮堂, 一樓' },
  },
  unit: { name: { 'zh-TW': '教務處' }, timeZone: 'Europe/Berlin' },
  organiser: 'no-reply@hub.example.edu',
}

describe.skipIf(!python)('a calendar file, read by another program', patient, () => {
  it('has the same event, at the local time of its unit, and its cancellation the same UID', async () => {
    const commands = await pythonCommands(python!)
    const paths = [false, true].map((cancelled) => {
      const path = join(inject('scratch'), `event-${cancelled}.ics`)
      writeFileSync(path, writeCalendarFile(file, 'zh-TW', { cancelled }))
      return path
    })
    const reader = join(import.meta.dirname, 'python/calendar_file.py')
    const { code, output } = await run(join(commands, 'python'), [reader, ...paths])
    expect(code, output).toBe(0)
    const [calendar, gone] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(calendar).toEqual({
      ...{ method: 'PUBLISH', status: 'CONFIRMED', uid: file.uid, sequence: 0 },
      ...{ summary: file.entry.title['zh-TW'], location: file.entry.location['zh-TW'] },
      ...{ start: '2027-03-28T01:30:00+01:00', end: '2027-03-28T03:30:00+02:00' },
    })
    expect(gone).toEqual({ ...calendar, method: 'CANCEL', status: 'CANCELLED', sequence: 1 })
  })
})
