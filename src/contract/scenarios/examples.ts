import { exampleId, exampleUnitId } from '../example-ids.ts'
import type { CreateScenario, Scenario, ScenarioItem, ScenarioVersion } from './scenario.ts'

export const exampleCreateScenario: CreateScenario = {
  name: 'Campus tour',
  description: 'Asks who wants to join the campus tour.',
  categoryId: 'campus-events',
  nodes: [
    {
      id: 'ask',
      kind: 'question',
      message: {
        kind: 'buttons',
        text: {
          'zh-TW': '您想參加星期六的校園導覽嗎？',
          en: 'Would you like to join the campus tour on Saturday?',
        },
        actions: [
          { kind: 'nextNode', label: { 'zh-TW': '參加', en: 'Yes' }, nodeId: 'welcome', optionId: 'yes' },
          { kind: 'nextNode', label: { 'zh-TW': '不參加', en: 'No' }, nodeId: 'over', optionId: 'no' },
        ],
      },
      timeoutSeconds: 259_200,
    },
    {
      id: 'welcome',
      kind: 'message',
      messages: [
        {
          kind: 'text',
          text: { 'zh-TW': '已為您報名，當天見！', en: 'You are on the list. See you there!' },
        },
      ],
    },
    { id: 'over', kind: 'end' },
  ],
  edges: [
    { from: 'ask', to: 'over', when: { kind: 'timeout' } },
    { from: 'welcome', to: 'over' },
  ],
  farewell: {
    'zh-TW': '這次導覽的報名已經結束，謝謝您。',
    en: 'Registration for this tour is over. Thank you.',
  },
}

const about = {
  version: 1,
  versionState: 'in_force',
  autoApproved: true,
  name: exampleCreateScenario.name,
  categoryId: exampleCreateScenario.categoryId,
  author: { id: 'key:demo', name: 'Student information system' },
  createdAt: '2026-11-20T02:00:00.000Z',
  submittedAt: '2026-11-20T02:10:00.000Z',
  reason: null,
  decision: { by: { id: 'system:auto', name: 'Automatic check' }, at: '2026-11-20T02:10:00.000Z' },
} as const

export const exampleScenarioVersion: ScenarioVersion = {
  ...about,
  description: exampleCreateScenario.description,
  variables: [],
  nodes: exampleCreateScenario.nodes,
  edges: exampleCreateScenario.edges,
  farewell: exampleCreateScenario.farewell,
}

const decided = {
  allowed: false,
  code: 'invalid_transition',
  message:
    'approve is not possible: the newest version of the scenario is 1, and it is in_force. Only a version that waits can be decided about.',
} as const

export const exampleScenarioItem: ScenarioItem = {
  id: exampleId,
  unitId: exampleUnitId,
  state: 'active',
  canStart: true,
  paused: false,
  inForce: 1,
  ...about,
  allowed: {
    approve: decided,
    reject: { ...decided, message: decided.message.replace('approve', 'reject') },
  },
}

export const exampleScenario: Scenario = {
  ...exampleScenarioItem,
  ...exampleScenarioVersion,
  warnings: [],
  cost: { maxTurns: 2, loops: false },
}

/** As a request for activation answers it where a person decides. */
export const exampleSubmittedScenario: Scenario = {
  ...exampleScenario,
  state: 'submitted',
  canStart: false,
  paused: false,
  inForce: null,
  versionState: 'submitted',
  autoApproved: false,
  reason: 'category_not_auto',
  decision: null,
  allowed: {
    approve: {
      allowed: false,
      code: 'forbidden',
      message: 'Only a person may approve or reject a scenario. Sign in as an approver of the unit.',
    },
    reject: {
      allowed: false,
      code: 'forbidden',
      message: 'Only a person may approve or reject a scenario. Sign in as an approver of the unit.',
    },
  },
}
