import { expect, it } from 'vitest'
import { chooseWay, type TurnSituation } from '../../../../src/domain/scenario/choose-way.ts'

const day = 86_400_000

function situation(changed: Partial<TurnSituation> = {}): TurnSituation {
  return {
    ...{ scenarioState: 'active', ending: false, over: false, heldMs: 0, lateMs: day, token: false },
    ...{ channels: ['chat', 'email'], verdicts: { chat: null, email: null }, quietForMs: null, restsMs: {} },
    ...{ unclear: null, pushesSpent: false },
    ...changed,
  }
}

it.each<[string, Partial<TurnSituation>, object]>([
  ['answers by token for free', { token: true }, { do: 'try', channel: 'chat', by: 'reply' }],
  ['pushes without one', {}, { do: 'try', channel: 'chat', by: 'push' }],
  [
    'replies to who has got all pushes of the day',
    { pushesSpent: true, token: true },
    { do: 'try', channel: 'chat', by: 'reply' },
  ],
  ['mails them otherwise', { pushesSpent: true }, { do: 'try', channel: 'email', by: 'mail' }],
  [
    'says nothing if they have no mail',
    { pushesSpent: true, verdicts: { chat: null, email: 'noAddress' } },
    { do: 'end', state: 'skipped', reason: 'pushes_spent' },
  ],
  [
    'mails who blocks the chat',
    { verdicts: { chat: 'blocked', email: null } },
    { do: 'try', channel: 'email', by: 'mail' },
  ],
  [
    'tells nobody who may not be told',
    { verdicts: { chat: 'noConsent', email: 'noConsent' } },
    { do: 'end', state: 'skipped', reason: 'noConsent' },
  ],
  [
    'ends when every channel has refused',
    { channels: [] },
    { do: 'end', state: 'failed', reason: 'refused' },
  ],
  ['waits for the end of quiet hours', { quietForMs: 5 }, { do: 'wait', ms: 5, problem: null }],
  ['waits while the provider rests', { restsMs: { chat: 7 } }, { do: 'wait', ms: 7, problem: 'provider' }],
  ['says nothing that is late', { heldMs: day }, { do: 'end', state: 'skipped', reason: 'expired' }],
  ['holds what a paused scenario says', { scenarioState: 'paused' }, { do: 'wait', ms: null, problem: null }],
  [
    'holds what a retired one says, until its run is ended',
    { scenarioState: 'retired' },
    { do: 'wait', ms: null, problem: null },
  ],
  [
    'but its farewell',
    { scenarioState: 'retired', ending: true },
    { do: 'try', channel: 'chat', by: 'push' },
  ],
  ['says nothing after the end', { over: true }, { do: 'end', state: 'skipped', reason: 'over' }],
])('%s', (_, changed, choice) => {
  expect(chooseWay(situation(changed))).toEqual(choice)
})

it.each([
  [
    'a push under its key',
    { by: 'push' as const, tries: 5, triedMs: day / 2, tokenAgeMs: null },
    { do: 'repeat' },
  ],
  [
    'no push that the provider has forgotten',
    { by: 'push' as const, tries: 5, triedMs: day, tokenAgeMs: null },
    'too_old',
  ],
  ['a reply once', { by: 'reply' as const, tries: 1, triedMs: 0, tokenAgeMs: 9_000 }, { do: 'repeat' }],
  ['no reply twice', { by: 'reply' as const, tries: 2, triedMs: 0, tokenAgeMs: 9_000 }, 'interrupted'],
  [
    'no reply with an old token',
    { by: 'reply' as const, tries: 1, triedMs: 0, tokenAgeMs: 50_000 },
    'interrupted',
  ],
  ['no mail', { by: 'mail' as const, tries: 1, triedMs: 0, tokenAgeMs: null }, 'interrupted'],
  [
    'nothing to an address that is now of another person',
    { by: 'push' as const, tries: 1, triedMs: 0, tokenAgeMs: null, moved: true },
    'moved',
  ],
])('repeats %s', (_, attempt, choice) => {
  // Whatever else has changed: it may have been taken.
  const unclear = { moved: false, ...attempt }
  const way = chooseWay(situation({ unclear, over: true, scenarioState: 'retired' }))
  expect(way).toEqual(typeof choice === 'string' ? { do: 'end', state: 'unknown', reason: choice } : choice)
})
