import type { ScenarioNode } from '../../contract/scenarios/graph.ts'
import {
  faultOf,
  hasLiquid,
  parseText,
  renderedLengthMax,
  unlessElsewhere,
} from '../../domain/content/liquid.ts'
import { messageMeter, type RenderMeter } from '../../domain/content/render-steps.ts'
import { mapTexts } from '../../domain/content/texts.ts'
import { textsOf } from '../../domain/scenario/node-texts.ts'
import type { Issue } from '../validation-error.ts'

/**
 * The texts of nodes that are not valid Liquid, or take too many steps to be read alone.
 * @throws NeedsThread
 */
export function liquidFaults(nodes: readonly ScenarioNode[], within: RenderMeter): Issue[] {
  const issues: Issue[] = []
  for (const { messages, at } of textsOf(nodes)) {
    const meter = messageMeter(within)
    mapTexts({ messages }, (text, path) => {
      try {
        if (hasLiquid(text) || text.length > renderedLengthMax) parseText(text, meter)
      } catch (thrown) {
        const fault = faultOf(unlessElsewhere(thrown))
        issues.push({ path: at(path), message: `must be a valid template; ${fault}` })
      }
      return text
    })
  }
  return issues
}
