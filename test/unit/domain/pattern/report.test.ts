import { expect, it } from 'vitest'
import { type PatternCounts, reportOf } from '../../../../src/domain/pattern/report.ts'

const label = { 'zh-TW': '選項' }
const coming = {
  ...{ id: 'coming', kind: 'question' as const, text: { 'zh-TW': '會來嗎？' } },
  options: ['yes', 'no', 'maybe'].map((id) => ({ id, label })),
}
const counts = (chosen: Record<string, number>): PatternCounts => ({
  invitations: { invited: 10, reached: 10, read: 10 },
  kept: {},
  places: { registered: chosen.yes ?? 0 },
  answers: Object.entries(chosen).map(([optionId, count]) => ({ question: 'coming', optionId, count })),
  ...{ placesOfDecliners: 0, underWay: 0, refused: 0 },
})

it('who may come has not declined, and has reached the end', () => {
  const design = { questions: [coming], attendance: 'coming' }
  expect(reportOf(design, counts({ yes: 3, no: 2, maybe: 4 }))).toMatchObject({
    ...{ answered: 9, registered: 3, declined: 2, undecided: 4, completionRate: 0.9 },
  })
})

it('who said yes and took no place has stopped half-way, unless they still answer or found no place', () => {
  const design = { questions: [coming], attendance: 'coming' }
  const some = { ...counts({ yes: 5, no: 1 }), places: { registered: 1 } }
  expect(reportOf(design, some)).toMatchObject({ answered: 6, stopped: 4 })
  expect(reportOf(design, { ...some, underWay: 2, refused: 1 })).toMatchObject({ stopped: 1 })
})

it('a survey has nothing to decline', () => {
  const design = { questions: [coming], attendance: null }
  expect(reportOf(design, counts({ no: 2 }))).toMatchObject({ declined: null, undecided: null })
})
