import { z } from 'zod'
import { Channel } from '../common.ts'
import { lookupErrors } from '../enums.ts'
import { Violation } from '../messages/dry-run.ts'

const TextFault = Violation.extend({
  path: z.string().describe('Where, in the body of the scenario: `nodes[2].message.text.en`.'),
  variable: z
    .string()
    .optional()
    .describe('The variable without a value, such as `order.total`. Only with the code `missing_variable`.'),
  channel: Channel.optional().describe('The channel that cannot carry it. Omitted: no channel may.'),
}).meta({
  id: 'TextFault',
  description:
    'A text of a node that could not be sent: the variable that it lacks, or the limit that it breaks.',
})

/** What went wrong at a node of a run or of a simulation. */
export const NodeError = z
  .object({
    node: z.string().describe('The id of the node.'),
    reason: z
      .string()
      .nullable()
      .describe(
        'Why, such as `missing_variable`, `content_violation` or `no_instant`. Of a Lookup its `lookup_error`: ' +
          `${lookupErrors.map((one) => `\`${one}\``).join(', ')}, or \`noConsent\`. null: not known any more.`,
      ),
    faults: z.array(TextFault).describe('The texts that could not be sent. Empty: another error.'),
    fields: z
      .array(z.string())
      .optional()
      .describe(
        'The fields of the answer of a Lookup that became null, for `shape`: a number beyond ±(2^53 − 1), or `size`: too ' +
          'large. The run went on with the others. Omitted: another error.',
      ),
  })
  .meta({
    id: 'NodeError',
    description:
      'A node that took its edge for errors, at which the run failed, or of whose answer it could not keep all.',
  })
export type NodeError = z.infer<typeof NodeError>
