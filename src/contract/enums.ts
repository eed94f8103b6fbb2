/**
 * The closed lists of values that rows store and the API returns, each defined once: schemas, row types and checks are
 * derived from them. Imports nothing, so that workflows and browsers can use it.
 */

/** The languages of messages; every text must have the first. */
export const locales = ['zh-TW', 'en'] as const
export type Locale = (typeof locales)[number]

/** The channels that messages are sent on. */
export const channels = ['chat', 'email'] as const
export type Channel = (typeof channels)[number]

/** Who posts webhooks: the channels, and the conversational assistant (`avatar`), whose people are addressed by chat. */
export const webhookSources = [...channels, 'avatar'] as const
export type WebhookSource = (typeof webhookSources)[number]

/** `first_available`: one delivery on the subject's first available channel; `all`: one on each available channel. */
export const planModes = ['first_available', 'all'] as const
export type PlanMode = (typeof planModes)[number]

/** What other systems and an installation do for one another, beside the channels. */
export const integrations = ['signIn', 'lookups', 'avatar', 'callbacks'] as const
export type Integration = (typeof integrations)[number]

/** The state of an adapter or an integration. `misconfigured`: a setting is wrong, or the other end rejects it. */
export const integrationStates = ['ok', 'unavailable', 'misconfigured', 'not_configured'] as const
export type IntegrationState = (typeof integrationStates)[number]

/** Keys of `administrative` units may use the Identity API. */
export const unitKinds = ['ordinary', 'administrative'] as const
export type UnitKind = (typeof unitKinds)[number]

/** The roles of a person in a unit: editors write, approvers approve or reject. */
export const roles = ['editor', 'approver'] as const
export type Role = (typeof roles)[number]

/** A subject's stage; it only moves forward. */
export const stages = ['visitor', 'lead', 'member', 'alumni'] as const
export type Stage = (typeof stages)[number]

/** A subject's role in the institution. */
export const subjectRoles = ['student', 'teacher', 'staff'] as const
export type SubjectRole = (typeof subjectRoles)[number]

/** The lists of words in a subject's profile. An audience selects by each of them. */
export const profileLists = ['roles', 'orgUnits', 'classIds'] as const
export type ProfileList = (typeof profileLists)[number]

/** The dimensions by which an audience selects subjects. */
export const audienceDimensions = ['stages', ...profileLists, 'groups', 'tags', 'history'] as const
export type AudienceDimension = (typeof audienceDimensions)[number]

/** What a subject did or received before, by which `history` selects. */
export const historyKinds = ['registered', 'received', 'answered'] as const
export type HistoryKind = (typeof historyKinds)[number]

/** Why a subject in the audience receives nothing on any channel. */
export const exclusions = ['noConsent', 'noAddress', 'preferenceOff', 'blocked'] as const
export type Exclusion = (typeof exclusions)[number]

/** `mandatory` categories ignore preferences, topics, quiet hours and the frequency cap, never consent or a block. */
export const layers = ['mandatory', 'service', 'promotional'] as const
export type Layer = (typeof layers)[number]

/** Who approves messages of a category: a person, or the automatic check if it passes. */
export const approvalRules = ['manual', 'auto'] as const
export type ApprovalRule = (typeof approvalRules)[number]

/** What happens to mail whose outcome is unknown. */
export const unknownPolicies = ['keep', 'repeat'] as const
export type UnknownPolicy = (typeof unknownPolicies)[number]

/**
 * Where the links of messages lead: `direct`, straight to their URL; `tracked`, through Carillon, which counts clicks and
 * redirects.
 */
export const linkModes = ['direct', 'tracked'] as const
export type LinkMode = (typeof linkModes)[number]

export const topicStatuses = ['active', 'inactive'] as const
export type TopicStatus = (typeof topicStatuses)[number]

/** What opens Liquid in a text of a template. */
export const liquidOpenings = ['{{', '{%'] as const

/** What may be a mark in a lightly formatted text: reading it takes a few microseconds for each. */
export const lightMark = /[*_[\]]|^[ \t]*(?:[-+#]|\d{1,9}[.)])/gm

/** What waits for an approver: a message, a version of a template, a version of an event binding. */
export const approvalKinds = ['message', 'template', 'event_binding', 'scenario'] as const
export type ApprovalKind = (typeof approvalKinds)[number]

/** The state of one template version: `draft` until an approver decides. */
export const templateStates = ['draft', 'approved', 'rejected'] as const
export type TemplateState = (typeof templateStates)[number]

/** What a node of a scenario does. */
export const nodeKinds = [
  'message',
  'question',
  'lookup',
  'branch',
  'wait',
  'tag',
  'addToGroup',
  'register',
  'handoff',
  'jump',
  'end',
] as const
export type NodeKind = (typeof nodeKinds)[number]

/** The case in which an edge is followed. An edge without one is followed when its node is done. */
const edgeKinds = [
  'option',
  'text',
  'otherwise',
  'timeout',
  'error',
  'equals',
  'oneOf',
  'atLeast',
  'atMost',
  'exists',
  'result',
] as const
export type EdgeKind = (typeof edgeKinds)[number]

/** `draft`: never in force; `paused`: starts nothing and holds what it would say; `retired`: over, for good. */
export const scenarioStates = ['draft', 'active', 'paused', 'retired'] as const
export type ScenarioState = (typeof scenarioStates)[number]

/** Of a version of a scenario. `replaced`: a newer one has taken its place; `withdrawn`: by who wrote it, while it waited. */
export const scenarioVersionStates = [
  'draft',
  'submitted',
  'in_force',
  'replaced',
  'rejected',
  'withdrawn',
] as const
export type ScenarioVersionState = (typeof scenarioVersionStates)[number]

/** The states that a scenario is shown in: its own, or `submitted` while its newest version waits for an approver. */
export const shownScenarioStates = ['draft', 'submitted', 'active', 'paused', 'retired'] as const
export type ShownScenarioState = (typeof shownScenarioStates)[number]

/** Why a person decides about the activation of a scenario. */
export const activationReasons = ['category_not_auto', 'has_triggers'] as const
export type ActivationReason = (typeof activationReasons)[number]

/** Of a run of a scenario. `waiting`: for the person, a time, or somebody else. */
export const runStates = ['running', 'waiting', 'done', 'cancelled', 'failed'] as const
export type RunState = (typeof runStates)[number]

/** Of a turn: what a run says at once. */
export const turnStates = ['pending', 'sent', 'skipped', 'failed', 'unknown'] as const
export type TurnState = (typeof turnStates)[number]

/** How a turn is sent: free, by the token of what the person did last or on the page on which they answered; or paid. */
export const turnWays = ['reply', 'push', 'mail', 'page'] as const
export type TurnWay = (typeof turnWays)[number]

/** Where a turn is said: on a channel, or on the page on which the person has just answered. */
export const turnChannels = [...channels, 'page'] as const
export type TurnChannel = (typeof turnChannels)[number]

/** Once for each person at a time, or once for each event. */
export const runsPer = ['subject', 'event'] as const
export type RunPer = (typeof runsPer)[number]

/** `open`: what the person types goes to the people of the unit. */
export const handoffStates = ['open', 'closed'] as const
export type HandoffState = (typeof handoffStates)[number]

/**
 * Why a handoff is closed: by the unit, by the assistant, because nothing was said for a day, because the time of its node
 * was over, because its run ended, because its chat address is no longer the person's, or because the person was erased.
 */
export const handoffEnds = [
  'closed',
  'assistant',
  'silence',
  'timeout',
  'run_ended',
  'unbound',
  'erased',
] as const
export type HandoffEnd = (typeof handoffEnds)[number]

/** How a `register` node ends. */
export const registerResults = ['registered', 'full', 'closed', 'withdrawn'] as const
export type RegisterResult = (typeof registerResults)[number]

/** What a pattern asks for: to take part, to answer questions, or whether somebody comes. */
/** What somebody writes in a browser. */
export const compositionKinds = ['message', 'pattern', 'template'] as const
export type CompositionKind = (typeof compositionKinds)[number]

export const patternTypes = ['registration', 'survey', 'rsvp'] as const
export type PatternType = (typeof patternTypes)[number]

/** Of a pattern now. `full`: no place is left, and somebody may wait for one. */
export const patternStatuses = ['open', 'full', 'closed'] as const
export type PatternStatus = (typeof patternStatuses)[number]

/** Of a person in a pattern. `not_admitted`: they waited for a place until the deadline. */
export const registrationStates = ['registered', 'waitlisted', 'withdrawn', 'not_admitted'] as const
export type RegistrationState = (typeof registrationStates)[number]

/** What is wrong with the graph of a scenario (docs/design/scenarios.md). */
export const graphRules = [
  'duplicate_node',
  'unknown_node',
  'cycle',
  'unreachable',
  'dead_end',
  'missing_edge',
  'duplicate_edge',
  'wrong_edge',
  'unknown_option',
  'duplicate_option',
  'no_answer',
  'wrong_place',
  'reserved_name',
  'jump_circle',
  'jump_reach',
] as const
export type GraphRule = (typeof graphRules)[number]

/** The variables of a scenario that Carillon fills; nothing else may set them. */
export const reservedVariables = [
  'person',
  'pattern',
  'subject',
  'answers',
  'lookup',
  'lookup_error',
] as const

/** The names that no variable of a scenario may have: `uid` stands beside the variables in what a Lookup sends. */
export const reservedNames = [...reservedVariables, 'uid'] as const

/** What texts may read of `person`. */
export const personFields = ['displayName', 'locale', 'stage'] as const

/** Why a Lookup has no answer. */
export const lookupErrors = ['timeout', 'status', 'shape', 'size', 'network'] as const
export type LookupError = (typeof lookupErrors)[number]

/** When a schedule fires: at an instant, so long after it was enabled, or again and again. */
export const scheduleTypes = ['once', 'delay', 'recurring'] as const
export type ScheduleType = (typeof scheduleTypes)[number]

/** `finished`: it has fired, and is not due again; `deleted`: only its occurrences are kept. */
export const scheduleStates = ['active', 'disabled', 'finished', 'deleted'] as const
export type ScheduleState = (typeof scheduleStates)[number]

/** Why a schedule is disabled. `failures`: three occurrences in a row created nothing; `by_caller`: a caller disabled it. */
export const disabledScheduleReasons = ['by_caller', 'failures'] as const
export type DisabledScheduleReason = (typeof disabledScheduleReasons)[number]

/**
 * The outcome of an occurrence of a schedule. `missed`: not created, because of its time; `refused`: its author
 * no longer has the rights; `failed`: any other error.
 */
export const occurrenceOutcomes = ['created', 'missed', 'refused', 'failed'] as const
export type OccurrenceOutcome = (typeof occurrenceOutcomes)[number]

/**
 * Why an occurrence was missed: it was too late, the next one was due, too, or its schedule was disabled, deleted or given
 * other times before it was created.
 */
export const missedReasons = ['late', 'superseded', 'changed'] as const
export type MissedReason = (typeof missedReasons)[number]

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

/** The states that can be paused; `resume` returns to the same one. */
export const pausable = ['approved', 'sending'] as const
export type PausedFrom = (typeof pausable)[number]

/** The states in which a message expires at its `expiresAt`. A send under way finishes instead, as what it has become. */
export const expirable = [
  'draft',
  'submitted',
  'approved',
  'paused',
] as const satisfies readonly MessageState[]

/**
 * Every move of a message. `stop` requires that a batch was claimed, `cancel` that none was; `retry` and `skip` require
 * a parked wave.
 */
export const moves = [
  'edit',
  'submit',
  'approve',
  'reject',
  'withdraw',
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

/** The states of a wave: a message's first send, or its reminder (docs/design/waves-and-claims.md). */
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

/** The states in which the reminder of a sent message expires. */
export const expirableReminders = ['waiting', 'paused'] as const satisfies readonly WaveState[]

/** The waves of a message, by what they send. */
export const waveNames = ['first', 'reminder'] as const
export type WaveName = (typeof waveNames)[number]

/** Whom a reminder goes to: all who received the message, or those of them who have not answered it. */
export const remindTos = ['all', 'unanswered'] as const
export type RemindTo = (typeof remindTos)[number]

/**
 * Why a wave is parked: the provider is down, the provider's quota is exhausted, or Carillon's quota is; or the mail server
 * rejects so many of the recipients that it is not believed.
 */
export const waveProblems = ['provider', 'provider_quota', 'quota', 'unknown_recipients'] as const
export type WaveProblem = (typeof waveProblems)[number]

/** Why a message cannot continue. `internal`: a step of its run keeps failing inside Carillon. */
export const problems = [...waveProblems, 'internal'] as const
export type Problem = (typeof problems)[number]

/** `personal`: its text is shown only to its authors and to approvers. */
export const messageKinds = ['broadcast', 'personal'] as const
export type MessageKind = (typeof messageKinds)[number]

/**
 * Why the automatic check leaves a message to an approver. `audience_small`: the unit's own lists narrow it to a few people
 * (docs/design/audiences.md). `audience_not_subjects`: an event's message goes to a query instead of the
 * subjects that the event names.
 */
export const reviewReasons = [
  'audience_small',
  'category_not_auto',
  'audience_not_subjects',
  'template_required',
  'template_not_approved',
  'quota',
  'audience_too_large',
  'content_violation',
] as const
export type ReviewReason = (typeof reviewReasons)[number]

/** Of what the authors of a message are notified of by mail. */
export const authorNotices = ['rejected', 'approved', 'parked', 'failed'] as const
export type AuthorNotice = (typeof authorNotices)[number]

/**
 * Why an approved message returned to review: its audience is not the one that was approved; it is larger than what the
 * automatic check may approve; its quota is short; it had no recipients when it was approved, and still has none.
 */
export const driftReasons = ['audience', 'limit', 'quota', 'no_recipients'] as const
export type DriftReason = (typeof driftReasons)[number]

/** The outcomes of a delivery. */
export const deliveryStates = ['pending', 'sent', 'failed', 'skipped', 'unknown'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Why an address is suppressed. `refused`: a mail server refused it for good during a send. */
export const suppressionReasons = ['bounce', 'complaint', 'refused'] as const
export type SuppressionReason = (typeof suppressionReasons)[number]

/** The reasons that are a mail server's verdict: it may be wrong about everybody at once. */
export const serverVerdicts = ['bounce', 'refused'] as const satisfies SuppressionReason[]
export type ServerVerdict = (typeof serverVerdicts)[number]

/** Threshold status of an account (docs/design/quota.md). */
export const thresholds = ['ok', 'warning', 'exhausted'] as const
export type Threshold = (typeof thresholds)[number]

/** Why an event created no message (docs/api/events.md). */
export const eventErrors = [
  'no_subjects',
  'no_binding',
  'no_template',
  'no_scenario',
  'missing_variable',
  'content_violation',
  'too_many_runs',
  'too_many_people',
  'invalid_event',
  'internal',
] as const
export type EventError = (typeof eventErrors)[number]

/**
 * The state of one version of an event binding. `replaced`: a newer version has taken its place, in force or for
 * decision.
 */
export const bindingStates = ['submitted', 'in_force', 'replaced', 'rejected'] as const
export type BindingState = (typeof bindingStates)[number]

/**
 * The event types of callbacks: a message changed state; was closed; was answered by a person; its answers so far; a
 * run of a scenario was answered; ended.
 */
export const callbackTypes = [
  'message.state_changed',
  'message.closed',
  'message.answered',
  'message.answer_counts',
  'run.answered',
  'run.ended',
  'delivery.failed',
  'registration.changed',
  'handoff.opened',
  'handoff.closed',
  'import.closed',
  'address.suppressed',
  'preference.changed',
] as const
/** Those that a callback receives which names none. */
export const usualCallbackTypes = callbackTypes.slice(0, 6)
export type CallbackType = (typeof callbackTypes)[number]

/** The state of one callback delivery. */
export const callbackOutcomes = ['pending', 'delivered', 'failed'] as const
export type CallbackOutcome = (typeof callbackOutcomes)[number]

/** Why a callback is disabled. `gone`: the endpoint answered 410; `by_caller`: a caller disabled it. */
export const disabledReasons = ['gone', 'by_caller'] as const
export type DisabledReason = (typeof disabledReasons)[number]

/**
 * receiving: the upload is in progress; waiting, working: queued, or being written by a worker; done: every line is
 * processed.
 */
export const importStates = ['uploading', 'queued', 'processing', 'completed'] as const
export type ImportState = (typeof importStates)[number]

export const importFormats = ['csv', 'ndjson'] as const
export type ImportFormat = (typeof importFormats)[number]

/** Members are listed (static) or selected by a query (dynamic). */
export const groupKinds = ['static', 'dynamic'] as const
export type GroupKind = (typeof groupKinds)[number]

/** What changed in a group: who is listed, or the query. */
export const groupChangeKinds = ['members', 'query'] as const
export type GroupChangeKind = (typeof groupChangeKinds)[number]

/** The legal basis for keeping a list of people: the six of GDPR art. 6 (1). */
export const memberActions = ['add', 'remove'] as const

export const legalBases = [
  'consent',
  'contract',
  'legal_obligation',
  'vital_interests',
  'public_task',
  'legitimate_interests',
] as const
export type LegalBasis = (typeof legalBases)[number]

/** The kinds of objects in the audit log. */
export const auditedKinds = [
  'address',
  'callback',
  'category',
  'event',
  'event_binding',
  'event_key',
  'group',
  'handoff',
  'import',
  'media',
  'key',
  'lookup_endpoint',
  'member',
  'message',
  'pattern',
  'person',
  'quota',
  'retention',
  'scenario',
  'scenario_run',
  'schedule',
  'secrets',
  'session',
  'subject',
  'template',
  'topic',
  'unit',
  'value_name',
] as const
export type AuditedKind = (typeof auditedKinds)[number]

/** Why a version that waits cannot be in force. */
export const decisionReasons = ['category_disabled', 'triggers_taken', 'events_taken'] as const
export type DecisionReason = (typeof decisionReasons)[number]

/** Whether a value is one of a closed list. */
export function isOneOf<Word extends string>(words: readonly Word[], text: unknown): text is Word {
  return words.some((word) => word === text)
}

/** The keys of a record, typed: TypeScript does not assume that a record has only the keys of its type. */
export function keysOf<Key extends string>(record: { readonly [key in Key]?: unknown }): Key[] {
  return Object.keys(record) as Key[]
}
