/**
 * The closed lists of values that rows hold and the API shows, each written once: schemas, row types and checks are
 * made of them. Imports nothing, so that workflows and browsers may read it.
 */

/** The languages people are written to in; the first is the one that every text must have. */
export const locales = ['zh-TW', 'en'] as const
export type Locale = (typeof locales)[number]

/** The ways to a person. */
export const channels = ['chat', 'email'] as const
export type Channel = (typeof channels)[number]

/** `first_available`: one delivery on the first channel that is open to the person; `all`: one on each open channel. */
export const planModes = ['first_available', 'all'] as const
export type PlanMode = (typeof planModes)[number]

/** Keys of an administrative unit may use the Identity API. */
export const unitKinds = ['ordinary', 'administrative'] as const
export type UnitKind = (typeof unitKinds)[number]

/** What a person may do in a unit: editors write, approvers decide. */
export const roles = ['editor', 'approver'] as const
export type Role = (typeof roles)[number]

/** How far a subject has come; it only moves forward. */
export const stages = ['visitor', 'lead', 'member', 'alumni'] as const
export type Stage = (typeof stages)[number]

/** What a subject is in the institution. */
export const subjectRoles = ['student', 'teacher', 'staff'] as const
export type SubjectRole = (typeof subjectRoles)[number]

/** What an audience chooses people by. */
export const audienceDimensions = [
  'roles',
  'stages',
  'orgUnits',
  'classIds',
  'groups',
  'tags',
  'history',
] as const
export type AudienceDimension = (typeof audienceDimensions)[number]

/** Why a person named by the audience gets nothing at all. */
export const exclusions = ['noConsent', 'noAddress', 'preferenceOff', 'blocked'] as const
export type Exclusion = (typeof exclusions)[number]

/** What a category may ignore: `mandatory` preferences and topics, never consent or block. */
export const layers = ['mandatory', 'service', 'promotional'] as const
export type Layer = (typeof layers)[number]

/** Who approves the messages of a category: a person, or the automatic check where it can. */
export const approvalRules = ['manual', 'auto'] as const
export type ApprovalRule = (typeof approvalRules)[number]

/** What becomes of mail of which nobody knows whether it arrived. */
export const unknownPolicies = ['keep', 'repeat'] as const
export type UnknownPolicy = (typeof unknownPolicies)[number]

export const topicStatuses = ['active', 'inactive'] as const
export type TopicStatus = (typeof topicStatuses)[number]

/** Of one version of a template: nobody has decided, or an approver has. */
export const templateStates = ['draft', 'approved', 'rejected'] as const
export type TemplateState = (typeof templateStates)[number]

/** Where a message came from. */
export const origins = ['api', 'console', 'event', 'schedule'] as const
export type Origin = (typeof origins)[number]

/** The states of a message intent (docs/architecture.md, The states of a message). */
export const messageStates = [
  'draft',
  'submitted',
  'rejected',
  'approved',
  'sending',
  'sent',
  'failed',
  'paused',
  'cancelled',
  'stopped',
  'expired',
] as const
export type MessageState = (typeof messageStates)[number]

/** What can be paused: where `resume` goes back to. */
export const pausable = ['approved', 'sending'] as const
export type PausedFrom = (typeof pausable)[number]

/**
 * Every move a message can make. `stop` needs a claimed batch, `cancel` needs that there was none; `retry` and `skip`
 * need a parked wave.
 */
export const moves = [
  'edit',
  'submit',
  'approve',
  'reject',
  'start',
  'drift',
  'finish',
  'pause',
  'resume',
  'cancel',
  'stop',
  'expire',
  'retry',
  'skip',
] as const
export type Move = (typeof moves)[number]

/** The states of a wave: a message's first send, or its reminder (docs/decisions/0016-waves.md). */
export const waveStates = [
  'waiting',
  'sending',
  'paused',
  'sent',
  'cancelled',
  'stopped',
  'expired',
  'missed',
] as const
export type WaveState = (typeof waveStates)[number]

/** Why a wave is parked: the provider is down, its monthly number is used up, or ours is. */
export const problems = ['provider', 'provider_quota', 'quota'] as const
export type Problem = (typeof problems)[number]

/** `personal`: its text is shown only to its authors and to approvers. */
export const messageKinds = ['broadcast', 'personal'] as const
export type MessageKind = (typeof messageKinds)[number]

/** Why the automatic check leaves a message to people. */
export const reviewReasons = [
  'category_not_auto',
  'template_required',
  'template_not_approved',
  'quota',
  'audience_too_large',
  'content_violation',
] as const
export type ReviewReason = (typeof reviewReasons)[number]

/** What becomes of one message for one person on one channel. */
export const deliveryStates = ['pending', 'sent', 'failed', 'skipped', 'unknown'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Threshold status of an account (docs/decisions/0032-ledger.md). */
export const thresholds = ['ok', 'warning', 'exhausted'] as const
export type Threshold = (typeof thresholds)[number]

/** Why an event made no message (docs/api/events.md). */
export const eventErrors = [
  'no_subjects',
  'no_binding',
  'no_template',
  'missing_variable',
  'content_violation',
  'internal',
] as const
export type EventError = (typeof eventErrors)[number]

/** What a callback can be told: a message changed its state; nothing can happen to it any more. */
export const callbackTypes = ['message.state_changed', 'message.closed'] as const
export type CallbackType = (typeof callbackTypes)[number]

/** Of one thing that a callback is told. */
export const callbackOutcomes = ['waiting', 'delivered', 'failed'] as const
export type CallbackOutcome = (typeof callbackOutcomes)[number]

/** Why a callback is off. `gone`: their server answered 410; `asked`: somebody switched it off. */
export const disabledReasons = ['gone', 'asked'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/** receiving: the body is still coming in; waiting, working: a worker writes it; done: every line was looked at. */
export const importStates = ['receiving', 'waiting', 'working', 'done'] as const
export type ImportState = (typeof importStates)[number]

export const importFormats = ['csv', 'ndjson'] as const
export type ImportFormat = (typeof importFormats)[number]

/** The members are listed (static) or found by a query (dynamic). */
export const groupKinds = ['static', 'dynamic'] as const
export type GroupKind = (typeof groupKinds)[number]

/** Why a unit may keep a list of people: the six lawful bases of GDPR art. 6 (1). */
export const legalBases = [
  'consent',
  'contract',
  'legal_obligation',
  'vital_interests',
  'public_task',
  'legitimate_interests',
] as const
export type LegalBasis = (typeof legalBases)[number]

/** Whether a text is one of these words. */
export function isOneOf<Word extends string>(words: readonly Word[], text: unknown): text is Word {
  return words.some((word) => word === text)
}

/** The keys of a record. It has no others than its type says, which TypeScript does not take for granted. */
export function keysOf<Key extends string>(record: { readonly [key in Key]?: unknown }): Key[] {
  return Object.keys(record) as Key[]
}
