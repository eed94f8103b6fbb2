import type { OperationId } from './endpoints.ts'

/**
 * Who may read a fact that follows from an answer. `names`: who may read about the people of runs (`runNamesRefusal`);
 * `answers`: who may read who answered what (`readingOf`): organisers what was answered since they were named; `identity`:
 * keys of administrative units; `unit`: every caller of the unit.
 */
export type AnswerGate = 'names' | 'answers' | 'identity' | 'unit'

/** `tells`: what follows from an answer. `audited`: each reading of it is an entry in the audit log. */
type AnswerFact = { tells: string; gate: AnswerGate; audited: boolean }

/**
 * Everything of the API that tells what people answered, or what follows from it: the edge out of a question, the node
 * behind it, a tag or a group that it led to. What is not in this list tells nothing of it to anybody: a test asks
 * every operation and every page, as every kind of caller, in two installations that differ in the answers alone. A page
 * tells what one of these operations tells, to the same callers.
 */
export const answerFacts: Partial<Record<OperationId, AnswerFact>> = {
  getRun: {
    tells: 'answers, variables, texts, and the way behind the first question, branch or registration',
    gate: 'names',
    audited: true,
  },
  listScenarioRuns: { tells: 'the node where a run is behind them', gate: 'names', audited: true },
  listScenarioAnswers: { tells: 'answers', gate: 'names', audited: true },
  listPatternAnswers: { tells: 'who has a place, and answers', gate: 'answers', audited: true },
  getHandoff: { tells: 'the node of the run that waits for it', gate: 'names', audited: true },
  listHandoffs: { tells: 'the nodes of the runs that wait for them', gate: 'names', audited: true },
  listMessageAnswers: { tells: 'answers', gate: 'answers', audited: true },
  traceMessage: { tells: 'answers', gate: 'names', audited: true },
  traceRun: { tells: 'answers, and where they led', gate: 'names', audited: true },
  getMessage: {
    tells: 'how many answered what; of a personal message, what was answered',
    gate: 'answers',
    audited: true,
  },
  getSubject: { tells: 'tags', gate: 'identity', audited: true },
  updateSubject: { tells: 'tags, to who changes some', gate: 'identity', audited: true },
  listSubjectTurns: { tells: 'the nodes of what was said', gate: 'identity', audited: true },
  exportSubject: { tells: 'everything', gate: 'identity', audited: true },
  listAudit: { tells: 'what a scenario changed of somebody', gate: 'names', audited: false },
  listMembers: { tells: 'the groups to which an answer led', gate: 'unit', audited: true },
  changeMembers: { tells: 'who was a member already, to who adds them', gate: 'unit', audited: false },
  summariseScenarioRuns: { tells: 'how many runs went where', gate: 'unit', audited: false },
  getPatternReport: { tells: 'how many answered what', gate: 'unit', audited: false },
  listPatterns: { tells: 'how many places are left', gate: 'unit', audited: false },
  getPattern: { tells: 'how many places are left', gate: 'unit', audited: false },
  patchPattern: { tells: 'how many places are left', gate: 'unit', audited: false },
  getGroup: { tells: 'how many members a group has', gate: 'unit', audited: false },
  editGroup: { tells: 'how many members a group has', gate: 'unit', audited: true },
  dryRunMessage: { tells: 'how many have a tag or are in a group', gate: 'unit', audited: false },
  cancelRuns: { tells: 'how many runs at a node it has ended', gate: 'unit', audited: true },
}
