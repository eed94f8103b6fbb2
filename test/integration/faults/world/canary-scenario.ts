import type { ScenarioContent } from '../../../../src/contract/scenarios/content.ts'
import { option, text } from '../../../fixtures/conversations.ts'
import { canary } from './canaries.ts'
import { daySeconds, type ScenarioWorld, walkOf } from './scenarios.ts'

/**
 * A scenario that repeats all it learns: what it was started with (`secret`), what a Lookup found (`order`), the option
 * that was chosen, and what was typed. Canaries stand in its texts and its option.
 */
export function canaryScenario(world: ScenarioWorld): ScenarioContent {
  const walk = walkOf(world)
  return {
    nodes: [
      ...walk.nodes.filter(({ id }) => id === 'order'),
      {
        ...{ id: 'ask', kind: 'question', timeoutSeconds: daySeconds, saveAs: 'chosen' },
        message: {
          ...{ kind: 'buttons', text: { 'zh-TW': `${canary.text} {{ secret }} {{ order.id }}` } },
          actions: [option(canary.option, canary.name.slice(0, 20)), option('no', '不要')],
        },
      },
      {
        ...{ id: 'why', kind: 'question', timeoutSeconds: daySeconds, saveAs: 'typed' },
        message: { kind: 'text', text: { 'zh-TW': '為什麼選 {{ chosen }}？' } },
      },
      { id: 'thanks', kind: 'message', messages: [text('您說：{{ typed }}')] },
      { id: 'end', kind: 'end' },
    ],
    edges: [
      ...walk.edges.filter(({ from }) => from === 'order'),
      { from: 'ask', to: 'why', when: { kind: 'option', optionId: canary.option } },
      { from: 'ask', to: 'end', when: { kind: 'otherwise' } },
      { from: 'why', to: 'thanks', when: { kind: 'text' } },
      ...['ask', 'why'].map((from) => ({ from, to: 'end', when: { kind: 'timeout' as const } })),
      { from: 'thanks', to: 'end' },
    ],
  }
}
