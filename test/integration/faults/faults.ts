/**
 * A fault, what holds under it, and how often its test repeats it: `small` in `npm test`, `full` in `npm run
 * test:faults`. A time in `holds` is a limit; its test waits a multiple of it (test/harness/timeouts.ts) and does not
 * assert it.
 */
export type Fault = {
  fault: string
  holds: string
  small: Record<string, number>
  full: Record<string, number>
}

/** Every tested fault and race, in the order of docs/reliability.md, whose table is generated from this one. */
export const faults = {
  apiKilled: {
    fault:
      'kill -9 of the API at each seam of create, submit and approve: before the write, before the commit, before the reply, before the wake',
    holds: 'a retry with the same key gives exactly one row; every committed move is acted on within 5 s',
    small: { rounds: 1 },
    full: { rounds: 10 },
  },
  eventKilled: {
    fault:
      'kill -9 of the API at each seam of an event: before it is recorded, between event row and outcome, before the commit, before the reply, before the wake',
    holds: 'exactly one message, whether the event is sent again or not; acted on within 5 s',
    small: { rounds: 1 },
    full: { rounds: 10 },
  },
  workerKilled: {
    fault: 'kill -9 of the worker at random while it sends to 5,000 people, each call taking 200 ms',
    holds: 'no recipient lost, none sent to twice; resumed within 10 s of each kill',
    small: { kills: 5 },
    full: { kills: 50 },
  },
  mailWorkerKilled: {
    fault: 'kill -9 of the worker at random while it mails 2,000 people, each mail taking 10 ms',
    holds:
      'no recipient lost; sent to twice only through unknown, under the same Message-ID, at most kills × lanes × 64; resumed within 10 s of each kill',
    small: { kills: 3 },
    full: { kills: 50 },
  },
  reminderKilled: {
    fault:
      'kill -9 of the worker while it reminds 2,000 people by chat and 600 by mail, some of whom have opted out',
    holds:
      'no recipient lost; none reminded after opting out; sent to twice only by mail and only through unknown',
    small: { kills: 1 },
    full: { kills: 10 },
  },
  mailHalfOpen: {
    fault: 'half-open connections to the mail server',
    holds: 'timeouts hold, chat continues meanwhile; no recipient sent to twice',
    small: { rounds: 1 },
    full: { rounds: 3 },
  },
  mailCut: {
    fault: 'the connection to the mail server is cut after RCPT, inside DATA and after the final dot',
    holds:
      'the first two: no recipient lost, none sent to twice; the third: unknown, left so or repeated once as the category asks',
    small: { 'cuts each': 10 },
    full: { 'cuts each': 50 },
  },
  mailSilent: {
    fault: 'the mail server becomes silent in mid-session',
    holds: 'the session ends by its timeout, chat continues meanwhile; at most one mail a lane is unknown',
    small: { rounds: 1 },
    full: { rounds: 4 },
  },
  mailTwoAttempts: {
    fault:
      'the worker suspended by SIGSTOP while it mails, longer than its lease, while another continues; then resumed',
    holds: 'no recipient lost; sent to twice only through unknown',
    small: { 'seconds stopped': 22 },
    full: { 'seconds stopped': 30 },
  },
  mailPostgresKilled: {
    fault: 'kill -9 of Postgres while mail is being sent, restarted after 3 s',
    holds: 'no recipient lost; sent to twice only through unknown; ledger exact',
    small: { kills: 1 },
    full: { kills: 5 },
  },
  postgresKilled: {
    fault: 'kill -9 of Postgres under load, restarted after 3 s',
    holds: '503 with Retry-After, never 500; ready again within 5 s; ledger exact',
    small: { kills: 1 },
    full: { kills: 5 },
  },
  postgresHalfOpen: {
    fault: 'half-open connections from the worker to Postgres in mid-wave',
    holds: 'aborted within 16 s, the wave continues; no recipient sent to twice',
    small: { rounds: 1 },
    full: { rounds: 3 },
  },
  temporalGone: {
    fault:
      'Temporal down, at 10 creates a second, each followed by a submit and an approve, reject or cancel',
    holds: 'no error; the backlog is acted on within 30 s of its return',
    small: { seconds: 10 },
    full: { seconds: 60 },
  },
  storeWiped: {
    fault:
      "Temporal's store lost, with messages in mixed states; once with `carillon reconcile`, once without",
    holds:
      'all end correctly, no recipient sent to twice; runs observe their rows within 10 s of the command, otherwise through the reconciler',
    small: { messages: 20 },
    full: { messages: 200 },
  },
  operator: {
    fault: 'an operator terminates, resets and cancels runs in the Temporal UI, waiting and sending ones',
    holds:
      'terminated and reset runs are restarted, effects once; a cancel cancels the message, or pauses it',
    small: { 'runs each': 3 },
    full: { 'runs each': 20 },
  },
  twoAttempts: {
    fault:
      'the worker suspended by SIGSTOP in mid-wave, longer than its lease, while another continues; then resumed',
    holds: 'no recipient sent to twice',
    small: { 'seconds stopped': 22 },
    full: { 'seconds stopped': 30 },
  },
  clocks: {
    fault: 'worker and database clocks 5 s apart, either way',
    holds: 'never before the send time, never after the expiry',
    small: { messages: 2 },
    full: { messages: 10 },
  },
  refused: {
    fault: 'the provider answers 429, 500 and 503, with and without Retry-After',
    holds: 'no call before Retry-After has passed; success after it; nothing dropped',
    small: { rounds: 1 },
    full: { rounds: 5 },
  },
  cutOff: {
    fault: 'the provider accepts, and the connection is cut before the reply',
    holds: 'the retry is answered 409 and counts as sent; each is in the journal once',
    small: { cuts: 10 },
    full: { cuts: 100 },
  },
  halfOpen: {
    fault: 'half-open connections to the chat provider',
    holds: 'timeouts hold, slots are released, heartbeats continue; no recipient sent to twice',
    small: { rounds: 1 },
    full: { rounds: 3 },
  },
  badAddress: {
    fault: 'one bad address in 500, named by the provider or not',
    holds: 'only that one fails',
    small: { rounds: 1 },
    full: { rounds: 5 },
  },
  workerEnds: {
    fault: 'SIGTERM of the worker in mid-wave',
    holds: 'the batches in flight finish and no call is repeated; the next worker continues',
    small: { rounds: 1 },
    full: { rounds: 5 },
  },
  fairness: {
    fault: "another unit's big sends fill every slot of the worker, each call taking 500 ms",
    holds: 'a small send starts before any of the big ones ends',
    small: { sends: 3 },
    full: { sends: 20 },
  },
  everythingDown: {
    fault: 'everything is down when a message is due: API, worker, Temporal and Postgres',
    holds: 'late but before its expiry: sent; past it: expired, never sent',
    small: { messages: 4 },
    full: { messages: 20 },
  },
  sameKey: {
    fault: '100 creates with one key at once, at two API processes',
    holds: 'one 201, 99 times 200, one id, one row',
    small: { rounds: 3 },
    full: { rounds: 20 },
  },
  sameEvent: {
    fault:
      '100 times the same event at once, at two API processes; and again after a no_binding answer, with and without a new signature',
    holds: 'one accepted, the others duplicates with the identical response; exactly one message',
    small: { rounds: 3 },
    full: { rounds: 20 },
  },
  interleavings: {
    fault: 'submit, approve and cancel of one message, in random order, at two API processes',
    holds: 'a legal end state and an exact ledger',
    small: { messages: 50 },
    full: { messages: 500 },
  },
  cancelAtSendTime: {
    fault: 'approve, send and cancel at the send time: within 5 ms of it, or seconds after',
    holds: 'no call is made after a cancel was answered',
    small: { messages: 20 },
    full: { messages: 200 },
  },
  lastQuota: {
    fault: 'reservations of 1 at once, against half as many',
    holds: 'exactly half of them',
    small: { approvals: 60 },
    full: { approvals: 200 },
  },
  stories: {
    fault:
      'random calls of several callers on one message, sometimes two at once, times that come due, steps of the run, a provider that rejects',
    holds: 'every response, state and count is that of the pure rules',
    small: { stories: 25 },
    full: { stories: 1_000 },
  },
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof faults
