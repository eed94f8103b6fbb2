import { type Channel, locales } from '../../contract/enums.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import type { ScenarioContent } from '../../contract/scenarios/content.ts'
import type { ScenarioNode } from '../../contract/scenarios/graph.ts'
import type { Violation } from '../audience/audience.ts'
import { exitKeywords, isExitKeyword } from './auto-reply.ts'
import type { GraphProblem } from './graph-problems.ts'
import { nameWarnings } from './named-variables.ts'
import { jumpTargets } from './node-texts.ts'
import { optionsOf } from './question.ts'

/**
 * What may surprise the author of a sound version: a mail has no place for a typed answer, nor a tap for a variable.
 * `inactive`: the scenarios that it leads to and that start nothing now. `jumps`: those that come back to it without
 * an answer of the person, or that lead too far.
 */
export function versionWarnings(
  { nodes, edges, variables = [] }: Pick<ScenarioContent, 'nodes' | 'edges' | 'variables'>,
  {
    channels,
    inactive,
    jumps,
  }: { channels: readonly Channel[]; inactive: ReadonlySet<string>; jumps: readonly GraphProblem[] },
): Violation[] {
  return [
    ...nodes.flatMap((node, index) => questionWarnings(node, `nodes[${index}].message`, channels)),
    ...jumpTargets(nodes)
      .filter(({ id }) => inactive.has(id))
      .map(({ path }) => warning(path, 'scenario_not_active')),
    ...nodes.flatMap(({ id }, index) =>
      jumps
        .filter(({ node }) => node === id)
        .map(({ rule, message }) => ({ path: `nodes[${index}].scenarioId`, code: rule, message })),
    ),
    ...notGivenByPeople(variables),
    ...nameWarnings({ nodes, edges, variables }),
  ]
}

function questionWarnings(node: ScenarioNode, path: string, channels: readonly Channel[]): Violation[] {
  if (node.kind !== 'question') return []
  const options = optionsOf(node.message)
  if (options.length === 0) return channels.includes('email') ? [warning(path, 'no_answer_by_mail')] : []
  const leaves = options.some(({ label }) => locales.some((locale) => isExitKeyword(label[locale] ?? '')))
  return leaves ? [warning(path, 'option_leaves')] : []
}

type Warning = 'no_answer_by_mail' | 'option_leaves' | 'scenario_not_active'

function warning(path: string, code: Warning): Violation {
  return { path, code, message: texts[code] }
}

const texts: Record<Warning, LocalisedText> = {
  no_answer_by_mail: {
    'zh-TW':
      '這個問題沒有選項，無法以電子郵件回答：會改用下一個可回答的管道；沒有這種管道時，會走 error 連線，沒有這條連線則以失敗結束。',
    en:
      'The question has no option, so it cannot be answered by mail: the next suitable channel is used. If ' +
      'there is none, the run takes the error edge, or fails without one.',
  },
  option_leaves: {
    'zh-TW': `有個選項的文字與結束對話的關鍵字相同（${exitKeywords.join('、')}）。在這個問題輸入這個詞算是回答，不會結束對話。`,
    en: `An option is an exit keyword (${exitKeywords.join(', ')}): who types it at this question answers it, and does not leave the conversation.`,
  },
  scenario_not_active: {
    'zh-TW': '要跳去的情境目前沒有生效，走到這裡的人無法繼續。請先啟用那個情境。',
    en: 'The target scenario is not active, so runs cannot continue there. Activate it first.',
  },
}

/** The variables that a start by a person (keyword, follow, button) lacks, so that it would fail: nobody gives them. */
export function notGivenByPeople(variables: NonNullable<ScenarioContent['variables']>): Violation[] {
  return variables.flatMap(({ name, required, default: value }, index) =>
    required && value === undefined
      ? [
          {
            path: `variables[${index}]`,
            code: 'not_given_by_people',
            message: {
              'zh-TW': `以關鍵字、加入好友或按鈕開始時，不會帶入「${name}」，流程會以失敗結束。請設定預設值，或只由系統帶入變數開始。`,
              en: `A start by a keyword, a follow or a button gives no ${name}, so the run fails where it is used. Give it a default, or start the scenario only by calls and events that provide it.`,
            },
          },
        ]
      : [],
  )
}
