import { z } from 'zod'
import { graphRules } from '../enums.ts'
import { LocalisedText } from '../localised-text.ts'
import { ScenarioEdge } from './graph.ts'

/** One thing that is wrong with the graph of a scenario (docs/api/scenarios.md, Problems). */
export const GraphProblem = z
  .object({
    rule: z.enum(graphRules).describe('The rule that is broken.'),
    node: z.string().optional().describe('The id of the node. Omitted: it is about an edge, or the whole.'),
    edge: ScenarioEdge.optional().describe('The edge, as it was written. Omitted: it is about a node.'),
    message: LocalisedText.describe('What is wrong and what to do, in both languages, for people.'),
  })
  .meta({ id: 'GraphProblem', description: 'One thing that is wrong with the graph of a scenario.' })
