import type { Channel } from '../../contract/enums.ts'
import type { ScenarioNode } from '../../contract/scenarios/graph.ts'
import type { Violation } from '../audience.ts'
import { optionsOf } from './question.ts'

/** What may surprise the author of a sound graph: a mail has no place for a typed answer. */
export function graphWarnings(nodes: readonly ScenarioNode[], channels: readonly Channel[]): Violation[] {
  if (!channels.includes('email')) return []
  return nodes.flatMap((node, index) =>
    node.kind === 'question' && optionsOf(node.message).length === 0
      ? [
          {
            path: `nodes[${index}].message`,
            code: 'no_answer_by_mail',
            message: {
              'zh-TW':
                '這個問題沒有選項，收到電子郵件的人無法回答，會改走 error 連線；沒有這條連線時，流程會以失敗結束。',
              en: 'The question has no option, so it cannot be answered by mail: the run takes the edge error, or fails if there is none.',
            },
          },
        ]
      : [],
  )
}
