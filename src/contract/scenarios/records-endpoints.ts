import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId } from '../example-ids.ts'
import {
  RunSummary,
  RunSummaryQuery,
  ScenarioAnswerPage,
  ScenarioAnswerQuery,
  ScenarioRunDetail,
  ScenarioRunPage,
  ScenarioRunQuery,
} from './records.ts'
import { SimulateContent, SimulateScenario, Simulation } from './simulation.ts'

const both = { tag: 'Scenarios', auth: ['producer', 'session'] } as const
const ofScenario = { ...both, unit: 'object', params: IdParams } as const

const question = {
  id: 'coming',
  kind: 'question',
  timeoutSeconds: 86_400,
  saveAs: 'coming',
  message: {
    kind: 'quickReply',
    text: { 'zh-TW': '{{ name }}，你會來嗎？', en: '{{ name }}, will you come?' },
    options: [
      { id: 'yes', label: { 'zh-TW': '會', en: 'Yes' } },
      { id: 'no', label: { 'zh-TW': '不會', en: 'No' } },
    ],
  },
} as const
const thanks = {
  id: 'thanks',
  kind: 'message',
  messages: [{ kind: 'text', text: { 'zh-TW': '謝謝，到時候見！', en: 'Thank you, see you there!' } }],
} as const
const exampleSimulation = {
  path: ['coming', 'thanks', 'end'],
  errors: [],
  variables: { name: '林佳蓉', coming: 'yes' },
  says: [
    {
      node: 'coming',
      channel: 'chat',
      messages: [
        { ...question.message, text: { 'zh-TW': '林佳蓉，你會來嗎？', en: '林佳蓉, will you come?' } },
      ],
    },
    { node: 'thanks', channel: 'chat', messages: thanks.messages },
  ],
  ends: { state: 'done' },
  warnings: [
    {
      path: 'variables[0]',
      code: 'not_given_by_people',
      message: {
        'zh-TW':
          '以關鍵字、加入好友或按鈕開始時，不會帶入「name」，流程會以失敗結束。請設定預設值，或只由系統帶入變數開始。',
        en:
          'A start by a keyword, a follow or a button gives no name, so the run fails where it is used. ' +
          'Give it a default, or start the scenario only by calls and events that provide it.',
      },
    },
  ],
  cost: { maxTurns: 2, loops: false },
}

/** Trying out a scenario (docs/api/runs.md). */
export const simulationEndpoints = {
  simulateContent: {
    ...both,
    method: 'POST',
    path: '/v1/scenarios/simulate',
    summary: 'Simulate a scenario that is not stored',
    description:
      'Takes the path of a run with given answers and Lookup responses. Answers arrive immediately; ' +
      'waits and time-outs advance the clock. Nothing is stored, sent or called. The person is a sample ' +
      "who can be reached on the first channel of the category's plan. All texts together may take " +
      '50,000 steps of rendering.',
    unit: 'body',
    body: SimulateContent,
    bodyExample: {
      scenario: {
        categoryId: 'academic-affairs',
        variables: [{ name: 'name', required: true }],
        nodes: [question, thanks, { id: 'end', kind: 'end' }],
        edges: [
          { from: 'coming', to: 'thanks', when: { kind: 'option', optionId: 'yes' } },
          { from: 'coming', to: 'end', when: { kind: 'otherwise' } },
          { from: 'coming', to: 'end', when: { kind: 'timeout' } },
          { from: 'thanks', to: 'end' },
        ],
      },
      variables: { name: '林佳蓉' },
      answers: { coming: 'yes' },
    },
    answers: { 200: { description: 'The way of the run.', schema: Simulation, example: exampleSimulation } },
    errors: [
      'dag_invalid',
      'missing_variable',
      'content_violation',
      'category_not_allowed',
      'not_found',
      'not_configured',
    ],
  },
  simulateScenario: {
    ...ofScenario,
    method: 'POST',
    path: '/v1/scenarios/{id}/simulate',
    summary: 'Simulate a stored scenario',
    description:
      'The same with the newest version, or the one that `version` names, whatever its state. Nothing is stored, sent or ' +
      'called.',
    body: SimulateScenario,
    bodyExample: { variables: { name: '林佳蓉' }, answers: { coming: 'yes' } },
    answers: { 200: { description: 'The way of the run.', schema: Simulation, example: exampleSimulation } },
    errors: ['dag_invalid', 'missing_variable', 'content_violation', 'not_configured'],
  },
} as const satisfies Record<string, Endpoint>

const exampleRun = {
  id: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8ea1',
  scenarioId: exampleId,
  version: 2,
  subjectId: '01939a2e-0000-7000-8000-000000000007',
  uid: 's1024001',
  state: 'waiting',
  reason: null,
  node: 'coming',
  problem: null,
  deadline: '2030-12-02T01:00:02.310Z',
  test: false,
  startedBy: { id: 'key:01939a2e-0000-7000-8000-000000000003', name: 'Registration system' },
  startedAt: '2030-12-01T01:00:01.902Z',
  endedAt: null,
} as const

/** The records of the runs of a scenario (docs/api/runs.md). */
export const runRecords = {
  listScenarioRuns: {
    ...ofScenario,
    method: 'GET',
    path: '/v1/scenarios/{id}/runs',
    summary: 'List the runs of a scenario',
    description:
      'Runs in all states, newest first. Keys with individualTargeting, members of an administrative ' +
      'unit and approvers also see the person and the path beyond their answers, which the audit log ' +
      'records; only they may filter by uid or node.',
    query: ScenarioRunQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: ScenarioRunPage,
        example: { items: [exampleRun], nextCursor: null },
      },
    },
    errors: [],
  },
  summariseScenarioRuns: {
    ...ofScenario,
    method: 'GET',
    path: '/v1/scenarios/{id}/runs/summary',
    summary: 'Count the runs of a scenario by node',
    description:
      'For each version and node: how many runs are there, have entered it, and have left it by each edge. Open and closed ' +
      'runs, also those whose path is past retention. Numbers only.',
    query: RunSummaryQuery,
    answers: {
      200: {
        description: 'The counts.',
        schema: RunSummary,
        example: {
          versions: [
            {
              version: 2,
              nodes: {
                coming: {
                  here: 12,
                  entered: 340,
                  left: { '{"kind":"option","optionId":"yes"}': 301, '{"kind":"timeout"}': 27 },
                },
              },
            },
          ],
        },
      },
    },
    errors: [],
  },
  getRun: {
    ...both,
    method: 'GET',
    path: '/v1/runs/{id}',
    tag: 'Runs',
    summary: 'Get a run',
    description:
      'Its path, turns and outcome. Keys with individualTargeting, members of an administrative unit and ' +
      'approvers also see the person, texts, variables and answers, and the path beyond the first ' +
      'answer, which the audit log records.',
    unit: 'object',
    params: IdParams,
    answers: {
      200: {
        description: 'The run.',
        schema: ScenarioRunDetail,
        example: {
          ...exampleRun,
          purged: false,
          path: [
            { node: 'coming', enteredAt: '2030-12-01T01:00:01.902Z', leftAt: null, edge: null, to: null },
          ],
          errors: [],
          turns: [
            {
              number: 1,
              firstNode: 'coming',
              lastNode: 'coming',
              state: 'sent',
              reason: null,
              channel: 'chat',
              by: 'push',
              createdAt: '2030-12-01T01:00:01.902Z',
              firstTryAt: '2030-12-01T01:00:02.101Z',
              nextTryAt: null,
              closedAt: '2030-12-01T01:00:02.310Z',
              says: exampleSimulation.says.slice(0, 1).map(({ node, messages }) => ({ node, messages })),
            },
          ],
          handoffs: [],
          variables: { name: '林佳蓉' },
          answers: [],
        },
      },
    },
    errors: [],
  },
  listScenarioAnswers: {
    ...ofScenario,
    method: 'GET',
    path: '/v1/scenarios/{id}/answers',
    keyRight: 'individualTargeting',
    administrativePeople: true,
    roles: ['approver'],
    summary: 'List the answers to a scenario',
    description:
      'Answers of people, newest runs first. The audit log records who read them. Answers past retention ' +
      'and of erased people are deleted.',
    query: ScenarioAnswerQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: ScenarioAnswerPage,
        csv: 'runId,version,subjectId,uid,node,optionId,text,data,channel,at\r\n…,2,…,s1024001,coming,yes,,,chat,2030-12-01T01:00:02.310Z\r\n',
        example: {
          items: [
            {
              runId: exampleRun.id,
              version: 2,
              subjectId: exampleRun.subjectId,
              uid: exampleRun.uid,
              node: 'coming',
              optionId: 'yes',
              text: null,
              data: null,
              at: '2030-12-01T01:12:40.021Z',
            },
          ],
          nextCursor: null,
        },
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
