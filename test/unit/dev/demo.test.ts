import { describe, expect, it } from 'vitest'
import { demoEvent, ticketTemplate } from '../../../dev/demo/event.ts'
import { demoSubjects, subjectCount } from '../../../dev/demo/subject-records.ts'
import {
  eventTemplate as invitation,
  openDay,
  courseSelection as selection,
} from '../../../dev/demo/texts.ts'
import { tourKeywords, tourScenario } from '../../../dev/demo/tour.ts'
import { tourOn } from '../../../dev/producer/tours.ts'
import { compileChat } from '../../../src/channels/chat/compile.ts'
import { compileEmail } from '../../../src/channels/email/compile.ts'
import { CreateMessage } from '../../../src/contract/messages/create.ts'
import { CreateScenario } from '../../../src/contract/scenarios/scenario.ts'
import { CreateTemplate } from '../../../src/contract/templates/template.ts'
import { checkTemplate } from '../../../src/domain/content/template-check.ts'
import { graphProblems } from '../../../src/domain/scenario/graph-problems.ts'
import { simulate } from '../../../src/domain/scenario/simulate.ts'
import { render, someSteps } from '../../fixtures/speech.ts'

describe('the people of the demo', () => {
  const people = demoSubjects()

  it('are two thousand, each with a unique uid, and the same at every start', () => {
    expect(subjectCount).toBe(2_000)
    expect(new Set(people.map(({ uid }) => uid)).size).toBe(2_000)
    expect(demoSubjects()).toEqual(people)
  })

  it('read both languages', () => {
    expect(new Set(people.map(({ locale }) => locale))).toEqual(new Set(['zh-TW', 'en']))
  })

  it('have a role and a stage that together name a few dozen of them', () => {
    const teachers = people.filter(({ roles, stage }) => roles?.includes('teacher') && stage === 'member')
    expect(teachers.length).toBeGreaterThan(2)
    expect(teachers.length).toBeLessThan(200)
  })
})

const tourId = '0198c0de-0000-7000-8000-000000000001'
const tour = tourScenario('http://127.0.0.1:4606', tourId)

const picture = {
  id: '',
  url: 'https://hub.example.edu/a.jpg',
  previewUrl: 'https://hub.example.edu/b.jpg',
  width: 1,
  height: 1,
}
const [courseSelection, eventTemplate] = [selection(picture), invitation(picture)]

describe('the messages of the demo', () => {
  const subject = eventTemplate.subject ?? null
  const name = { 'zh-TW': '校園活動', en: 'Campus events' }
  const sender = { name, iconUrl: null }
  const unit = { id: 'unit', name, named: true, replyTo: null, sender, timeZone: 'Asia/Taipei' }
  const around = {
    wave: 'only' as const,
    subject: name,
    unit,
    categoryId: 'events',
    category: name,
    unsubscribe: true,
  }
  const origin = { m: '00000000-0000-7000-8000-000000000000' }

  it('match the interface', () => {
    expect(CreateTemplate.safeParse(eventTemplate).error).toBeUndefined()
    expect(CreateMessage.safeParse(courseSelection).error).toBeUndefined()
    expect(CreateMessage.safeParse(openDay('template')).error).toBeUndefined()
  })

  it('fit into chat and mail', () => {
    const { messages, missing, violations } = render(
      { messages: eventTemplate.messages, subject },
      eventTemplate.variables ?? [],
      openDay('template').variables ?? {},
    )
    expect({ missing, violations }).toEqual({ missing: [], violations: [] })
    for (const content of [messages, courseSelection.messages!])
      for (const compile of [compileChat, compileEmail])
        expect(compile({ ...around, messages: content }, origin).violations).toEqual([])
  })

  it('show every variable of the template in its first text', () => {
    expect(
      checkTemplate(
        { messages: eventTemplate.messages, subject },
        eventTemplate.variables ?? [],
        someSteps(),
      ),
    ).toEqual([])
    const [first] = eventTemplate.messages
    for (const { name } of eventTemplate.variables ?? [])
      expect(JSON.stringify(first)).toContain(`{{ ${name} }}`)
  })

  it('contain the event’s data in every variable', () => {
    const { messages, subject = null, variables = [] } = ticketTemplate
    expect(CreateTemplate.safeParse(ticketTemplate).error).toBeUndefined()
    expect(checkTemplate({ messages, subject }, variables, someSteps())).toEqual([])
    const rendered = render({ messages, subject }, variables, demoEvent.data)
    expect(rendered).toMatchObject({ missing: [], violations: [] })
    for (const value of Object.values(demoEvent.data))
      for (const locale of ['zh-TW', 'en'] as const)
        expect(rendered.messages[0]).toMatchObject({ text: { [locale]: expect.stringContaining(value) } })
  })

  it('have no Chinese in what is read in English', () => {
    const english = JSON.stringify(
      [eventTemplate, openDay('t'), courseSelection, ticketTemplate, demoEvent, tour.nodes],
      (name, value) => (name === 'zh-TW' || name === 'name' ? undefined : value),
    )
    expect(english).not.toMatch(/\p{Script=Han}/u)
  })
})

describe('the scenario of the demo', () => {
  const lookupOf = (day: string) => {
    const tour = tourOn(new URLSearchParams({ subject: 's', day }).toString())
    return tour ? { tour } : null
  }

  it('has no problems, and starts by a word in each language', () => {
    expect(CreateScenario.safeParse(tour).error).toBeUndefined()
    expect(graphProblems(tour, { pattern: false, administrative: false, variables: [] })).toEqual([])
    expect(tour.triggers?.keywords).toEqual([...tourKeywords])
  })

  it.each([
    ['sat', { join: 'yes', note: 'none' }, 'day places free join note mark thanks over'],
    ['sat', { join: 'yes', note: '需要輪椅' }, 'day places free join note mark thanks over'],
    ['sat', { join: 'yes', note: null }, 'day places free join note mark thanks over'],
    ['sat', { join: 'no' }, 'day places free join bye over'],
    ['sat', { join: null }, 'day places free join silent over'],
    ['sun', {}, 'day places free full again'],
    ['Friday', {}, 'day places unknown again'],
    ['constructor', {}, 'day places unknown again'],
    [null, {}, 'day silent over'],
  ])('leads a person who answers %s and %o along its way', (day, answers, path) => {
    for (const locale of ['zh-TW', 'en']) {
      const went = simulate(
        tour,
        { variables: {}, answers: { day, ...answers }, lookups: { places: lookupOf(day ?? '') } },
        {
          context: { person: { displayName: null, locale, stage: 'member' }, subject: 's', pattern: null },
          ...{ now: 0, self: null, jumpable: [tourId] },
          speech: { render, channelsFor: () => ['chat'] },
        },
      )
      expect(went.path.join(' ')).toBe(path)
      expect(JSON.stringify(went.says)).not.toContain('{{')
    }
  })
})
