import { z } from 'zod'
import { orBroken } from '../broken-rule.ts'
import { distinct, Id } from '../common.ts'
import type { Exclusion } from '../enums.ts'
import { limits } from '../limits.ts'
import { AllAudience, QueryAudience } from '../messages/audience.ts'

const variables = z
  .record(z.string(), z.unknown())
  .optional()
  .describe(
    'Values of the variables, by name; the same for all people. A version approved by a person accepts ' +
      'declared ones only.',
  )

export const StartRuns = z
  .strictObject({
    subjectUids: z
      .array(z.string().min(1).max(limits.uidLength))
      .min(1)
      .overwrite(distinct)
      .optional()
      .describe(
        `The uids of the people, at most ${limits.subjectsPerStart.toLocaleString('en')} (413), each counted once. Only for ` +
          'producer keys with individual targeting; each use is recorded in the audit log.',
      ),
    audience: z
      .discriminatedUnion('kind', [AllAudience, QueryAudience])
      .optional()
      .describe(
        `An audience of at most ${limits.subjectsPerStart.toLocaleString('en')} people (413). Only for a version that a ` +
          'person approved, and with an Idempotency-Key.',
      ),
    variables,
    variablesByUid: z
      .record(z.string().min(1).max(limits.uidLength), z.record(z.string(), z.unknown()))
      .optional()
      .describe(
        'Values of single people, by uid: they replace those of `variables` with the same name. Only with subjectUids, of ' +
          'which each uid must be one.',
      ),
  })
  .refine(
    ({ subjectUids, audience }) => (subjectUids === undefined) !== (audience === undefined),
    orBroken('not_exactly_one', { fields: ['subjectUids', 'audience'] }),
  )
  .refine(
    ({ subjectUids = [], variablesByUid = {} }) => {
      const named = new Set(subjectUids)
      return Object.keys(variablesByUid).every((uid) => named.has(uid))
    },
    { path: ['variablesByUid'], ...orBroken('uid_not_named') },
  )
  .meta({
    id: 'StartRuns',
    'x-exactly-one-of': { subjectUids: ['variablesByUid'], audience: [] },
    description: 'The people to start runs for: exactly one of subjectUids and audience.',
  })
export type StartRuns = z.infer<typeof StartRuns>

const count = z.int().min(0)

const StartedRun = z
  .object({
    id: Id.describe('The id of the run.'),
    uid: z
      .string()
      .optional()
      .describe(
        'The uid of the person; `erased subject` once they are erased. Omitted in the repeat of a call by a caller who may ' +
          'not target individuals.',
      ),
    created: z.boolean().describe('Whether this call started it; otherwise the person had an open run.'),
  })
  .meta({ id: 'StartedRun', description: 'The run of one person.' })

export const StartedRuns = z
  .object({
    items: z
      .array(StartedRun)
      .optional()
      .describe('The runs of the people who were named. Omitted for an audience.'),
    started: count.describe('How many runs were started.'),
    unknownUids: count.describe('How many uids have no subject.'),
    alreadyRunning: count.describe(
      'How many people already have an open run of the scenario, which continues.',
    ),
    excluded: z
      .object({
        noConsent: count.describe("Without an active consent for the category's scope."),
        noAddress: count.describe('Without an address on any channel of the plan.'),
        preferenceOff: count.describe('People who have turned the category off.'),
        blocked: count.describe('Subjects who have blocked the account, or whose address is suppressed.'),
      } satisfies Record<Exclusion, z.ZodType>)
      .describe('How many people are not eligible, each counted once, by reason.'),
    frequency: count
      .optional()
      .describe("How many people have reached the category's frequency cap. Only if the category has one."),
  })
  .meta({
    id: 'StartedRuns',
    description: 'What a start came to. A repeat with the same key gets the same answer.',
  })
export type StartedRuns = z.infer<typeof StartedRuns>

export const StartTestRun = z
  .strictObject({ variables })
  .meta({ id: 'StartTestRun', description: 'The variables of a test.' })
export type StartTestRun = z.infer<typeof StartTestRun>

export const TestRun = z
  .object({
    id: Id.describe('The id of the run.'),
    version: z.int().min(1).describe('The version that it follows: the newest.'),
  })
  .meta({ id: 'TestRun', description: 'A test has started.' })
export type TestRun = z.infer<typeof TestRun>

export const CancelledRun = z
  .object({
    id: Id.describe('The id of the run.'),
    state: z.literal('cancelled').describe('Always cancelled.'),
  })
  .meta({ id: 'CancelledRun', description: 'The run is over.' })
export type CancelledRun = z.infer<typeof CancelledRun>

export const CancelRuns = z
  .strictObject({
    version: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .describe('Only runs of this version. Omitted: of all.'),
    node: z.string().min(1).max(64).optional().describe('Only runs that are at this node. Omitted: at any.'),
  })
  .meta({ id: 'CancelRuns', description: 'Which open runs end; without fields all of them.' })
export type CancelRuns = z.infer<typeof CancelRuns>

export const CancelledRuns = z
  .object({ cancelled: count.describe('How many runs were open and have ended.') })
  .meta({ id: 'CancelledRuns', description: 'How many runs ended.' })
export type CancelledRuns = z.infer<typeof CancelledRuns>
