import type { ObservedRun } from '../../db/queries/scenario-run/observe-run.ts'
import type { RunFacts } from '../../domain/scenario/advance.ts'
import type { Services } from '../context.ts'
import { calendarUrl } from '../messages/calendar.ts'

/** What is known of a run, with the address of its person's calendar entry in its pattern. */
export function factsOfRun(
  services: Pick<Services, 'links' | 'publicUrl'>,
  { facts, run: { patternId, subjectId } }: Pick<ObservedRun, 'facts' | 'run'>,
): RunFacts {
  const { pattern, person } = facts
  if (!pattern?.hasEntry || patternId === null) return facts
  const calendar = calendarUrl(services, { patternId, subjectId }, person.locale)
  return { ...facts, pattern: { ...pattern, calendar } }
}
