import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { ScenarioNode } from '../../contract/scenarios/graph.ts'

/** What one node says, and where it stands: `at` turns a path into its messages (`messages[0].text`) into one of the body. */
export type Said = { node: ScenarioNode; messages: CanonicalMessage[]; at: (path: string) => string }

/** What the nodes of a graph say, in their order. Nodes that say nothing are left out. */
export function saidBy(nodes: readonly ScenarioNode[]): Said[] {
  return nodes.flatMap((node, index): Said[] => {
    const place = `nodes[${index}]`
    switch (node.kind) {
      case 'message':
        return [{ node, messages: node.messages, at: (path: string) => `${place}.${path}` }]
      case 'question':
        return [
          {
            node,
            messages: [node.message],
            at: (path: string) => `${place}.${path.replace('messages[0]', 'message')}`,
          },
        ]
      case 'register':
        return node.waitingList
          ? [
              {
                node,
                messages: node.waitingList.messages,
                at: (path: string) => `${place}.waitingList.${path}`,
              },
            ]
          : []
      default:
        return []
    }
  })
}
