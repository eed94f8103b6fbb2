import type { CreatePattern, PatternQuestion } from '../../contract/patterns/pattern.ts'
import { questionsOf } from './generate.ts'

/** What a version of a pattern is made of, as it was given. */
export type WholeDesign = Omit<CreatePattern, 'unitId'>

/** What of a version people and runs read of the pattern itself, once the version is in force. */
export type PatternTerms = {
  title: CreatePattern['title']
  description: NonNullable<CreatePattern['description']> | null
  /** As they are asked, with the one that decides about taking part; `attendance`: its id, null: there is none. */
  questions: PatternQuestion[]
  attendance: string | null
  deadline: Date
  capacity: number | null
  waitingList: boolean
  calendar: NonNullable<CreatePattern['calendar']> | null
}

/** The terms of a version, in which what its author left out has its default. */
export function termsOf(design: WholeDesign): PatternTerms {
  const { attendance, others } = questionsOf(design)
  return {
    title: design.title,
    description: design.description ?? null,
    questions: attendance ? [attendance, ...others] : others,
    attendance: attendance?.id ?? null,
    deadline: new Date(design.deadline),
    capacity: design.capacity ?? null,
    waitingList: design.waitingList ?? false,
    calendar: design.calendar ?? null,
  }
}
