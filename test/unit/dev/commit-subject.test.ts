import { expect, it } from 'vitest'
import { problemsOfSubject } from '../../../dev/commit-subject.ts'

it.each([
  'Reject wait dates that do not exist',
  'Retry an event when the pool is exhausted',
  'Suppress an address after its third bounce',
  'Bring the editor to the newest version',
  'Revert "Ask who changes an answer only what can be changed"',
  "Merge branch 'main' into who",
  'fixup! Reject wait dates that do not exist',
])('the subject "%s" is accepted', (subject) => {
  expect(problemsOfSubject(subject)).toEqual([])
})

it.each([
  ['Ask who changes an answer only what can be changed', ['Name the thing or the person in place of "who".']],
  ['Fixed reminder sent twice after a reset', ['Begin with an imperative, such as "Fix", not with "Fixed".']],
  ['Fixes a reminder', ['Begin with an imperative, such as "Fix", not with "Fixes".']],
  ['Fixing a reminder', ['Begin with an imperative, such as "Fix", not with "Fixing".']],
  ['fix: send reminders once', ['Leave out the prefix: begin with the verb.', 'Begin with a capital.']],
  ['Update docs', ['Say what changes, and for whom.']],
  ['Send reminders once.', ['Leave out the full stop.']],
  [`Send ${'very '.repeat(13)}late`, ['It has 74 characters; at most 72 are shown.']],
  ['', ['Begin with a capital.', 'Say what changes, and for whom.']],
])('the subject "%s" is rejected, with advice', (subject, advice) => {
  expect(problemsOfSubject(subject)).toEqual(advice)
})
