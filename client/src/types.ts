// Written from the service's contract by `npm run types -w client`; do not edit.

export type Acquisition = {
  source: string
  ref?: string
}

export type Action =
  | UriAction
  | PostbackAction
  | NextNodeAction
  | JumpScenarioAction
  | MuteAction
  | AddToGroupAction

export type Actor = {
  id: string
  name: string
}

export type AddToGroupAction = {
  kind: 'addToGroup'
  label: LocalisedText
  groupId: string
}

export type AllAudience = {
  kind: 'all'
  exclude?: AudienceDimensions
}

export type Allowed = {
  edit: Verdict
  submit: Verdict
  approve: Verdict
  reject: Verdict
  cancel: Verdict
  pause: Verdict
  resume: Verdict
  stop: Verdict
  retry: Verdict
}

export type Approval = {
  by: Actor
  at: string
  outcome: 'approved' | 'rejected' | 'not_approved'
  reason?: string
}

export type ApprovalOutcome =
  | {
      approved: true
    }
  | {
      approved: false
      reason:
        | 'category_not_auto'
        | 'template_required'
        | 'template_not_approved'
        | 'quota'
        | 'audience_too_large'
        | 'content_violation'
    }

export type ApproveMessage = {
  version?: number
}

export type ApproveTemplate = {
  version?: number
}

export type Audience = AllAudience | QueryAudience | IndividualAudience

export type AudienceDimensions = {
  kind?: 'query'
  roles?: Array<'student' | 'teacher' | 'staff'>
  stages?: Array<'visitor' | 'lead' | 'member' | 'alumni'>
  orgUnits?: Array<string>
  classIds?: Array<string>
  groups?: Array<string>
  tags?: Array<string>
  history?: Array<HistoryEntry>
}

export type AuditEntry = {
  id: number
  at: string
  /** null: it concerns the installation, not a unit. */
  unitId: string | null
  by: Actor
  action: string
  objectKind: string
  objectId: string
  fromState: string | null
  toState: string | null
  version: number | null
  reason: string | null
  /** What else there is to say; never names, addresses or texts. */
  details: unknown
}

export type AuditPage = {
  items: Array<AuditEntry>
  nextCursor: string | null
}

export type BindAddress = {
  /** A mail address, or the id that the chat provider gives the person. */
  address: string
  acquisition?: Acquisition
}

export type ButtonsMessage = {
  kind: 'buttons'
  text: LocalisedText
  actions: Array<Action>
}

export type Callback = {
  id: string
  unitId: string
  url: string
  description: string
  types: Array<'message.state_changed' | 'message.closed'>
  state: 'active' | 'failing' | 'disabled'
  /** gone: their server answered 410. */
  disabledReason: 'gone' | 'asked' | null
  /** The first failed try since the last success. */
  failingSince: string | null
  /** Deliveries that were never taken, since the last success. */
  givenUp: number
  lastDeliveredAt: string | null
  /** Until then the secret before it signs as well. */
  oldSecretUntil: string | null
  createdAt: string
}

export type CallbackDelivery = {
  id: string
  type: 'message.state_changed' | 'message.closed'
  messageId: string
  messageState: MessageState
  state: 'waiting' | 'delivered' | 'failed'
  tries: number
  /** The HTTP status they answered; null without an answer. */
  status: number | null
  /** Why it was not taken: http_error, redirect, timeout, no_connection, address_refused, secret_unreadable, internal, … */
  code: string | null
  at: string
  lastTryAt: string | null
  nextTryAt: string | null
}

export type CallbackDeliveryPage = {
  items: Array<CallbackDelivery>
  nextCursor: string | null
}

export type CallbackListQuery = {
  cursor?: string
  limit?: number
  unitId?: string
}

export type CallbackPage = {
  items: Array<Callback>
  nextCursor: string | null
}

export type CanonicalMessage =
  | TextMessage
  | ImageMessage
  | StickerMessage
  | CardMessage
  | CarouselMessage
  | ButtonsMessage
  | QuickReplyMessage

export type CardMessage = {
  kind: 'card'
  header?: LocalisedText
  title: LocalisedText
  body?: LocalisedText
  imageUrl?: string
  actions: Array<Action>
  lockedReason?: LocalisedText
}

export type CarouselMessage = {
  kind: 'carousel'
  cards: Array<CardMessage>
}

export type Category = {
  id: string
  name: LocalisedText
  /** mandatory ignores preferences and topics, never consent or block. */
  layer: 'mandatory' | 'service' | 'promotional'
  consentScope: string | null
  channelPlan: ChannelPlan
  approval_rule: 'manual' | 'auto'
  /** The automatic check approves up to so many people. */
  autoMaxRecipients: number
  quietHours: {
    from: string
    to: string
  } | null
  frequencyCap: {
    n: number
    days: number
  } | null
  onUnknown: 'keep' | 'repeat'
  enabled: boolean
}

export type CategoryPage = {
  items: Array<Category>
  nextCursor: string | null
}

export type ChangeMembers = {
  add?: Array<string>
  remove?: Array<string>
}

export type ChangePreferences = {
  language?: 'zh-TW' | 'en'
  categories?: Record<
    string,
    {
      chat?: boolean
      email?: boolean
      fixed?: boolean
    }
  >
  topics?: Record<string, boolean>
}

export type ChangeRoles = {
  personId: string
  add?: Array<'editor' | 'approver'>
  remove?: Array<'editor' | 'approver'>
}

export type ChannelPlan = {
  mode: 'first_available' | 'all'
  channels: Array<'chat' | 'email'>
}

export type ChannelPlanOverride = {
  channels?: Array<'chat' | 'email'>
  mode?: 'first_available' | 'all'
}

export type ChatEvent = {
  type: string
  webhookEventId?: string
  /** Milliseconds since 1970. Before that or in the future it counts as the moment of receipt. */
  timestamp?: number
  source?: {
    type: string
    userId?: string
  }
  postback?: {
    data?: string
  }
}

export type ChatWebhook = {
  destination?: string
  /** Each is read by itself. What is no event of this form is stored as `unreadable`. */
  events: Array<ChatEvent | unknown>
}

export type Consent = {
  scope: string
  version: string
  source: string
  grantedAt: string
  withdrawnAt: string | null
}

export type CreateCallback = {
  /** Sessions with several units. Ignored for producer keys. */
  unitId?: string
  /** https, with a public address. No redirects are followed. */
  url: string
  description?: string
  types?: Array<'message.state_changed' | 'message.closed'>
}

export type CreateCategory = {
  id: string
  name: LocalisedText
  layer: 'mandatory' | 'service' | 'promotional'
  consentScope?: string | null
  channelPlan: {
    mode: 'first_available' | 'all'
    channels: Array<'chat' | 'email'>
  }
  approval_rule?: 'manual' | 'auto'
  /** How many people a message may reach that no person approves; with auto at least 1. */
  autoMaxRecipients?: number
  quietHours?: {
    from: string
    to: string
  } | null
  frequencyCap?: {
    n: number
    days: number
  } | null
  /** What becomes of mail of which nobody knows whether it arrived. */
  onUnknown?: 'keep' | 'repeat'
  enabled?: boolean
}

export type CreateEventBinding = {
  /** Sessions with several units. Ignored for producer keys. */
  unitId?: string
  source: string
  type: string
  categoryId: string
  /** Without one, events are recorded and answered no_template. */
  templateId?: string | null
  audience: EventAudience
  /** Not available yet. */
  scenarioId?: string | null
  /** Signing keys that may raise it; null: all. Others are answered no_binding. */
  keyIds?: Array<string> | null
  /** Unless said: true. One in force for each (source, type). */
  enabled?: boolean
}

export type CreateGroup = {
  /** Sessions with several units. Ignored for producer keys. */
  unitId?: string
  name: string
  kind: 'static' | 'dynamic'
  legalBasis?:
    | 'consent'
    | 'contract'
    | 'legal_obligation'
    | 'vital_interests'
    | 'public_task'
    | 'legitimate_interests'
  /** A static group of the unit. Everybody in this group must be in it; null: none. */
  parentId?: string | null
  query?: GroupQuery
}

export type CreateKey = {
  unitId: string
  name: string
  /** Only these; null: all. */
  categories?: Array<string> | null
  /** Only these; null: all. */
  dimensions?: Array<
    'all' | 'roles' | 'stages' | 'orgUnits' | 'classIds' | 'groups' | 'tags' | 'history'
  > | null
  /** May name people one by one. */
  individualTargeting?: boolean
}

export type CreateMessage = {
  /** Sessions with several units. Ignored for producer keys. */
  unitId?: string
  categoryId: string
  /** An alternative to messages. */
  templateId?: string
  /** The template's variables. */
  variables?: Record<string, unknown>
  messages?: Array<CanonicalMessage>
  audience: Audience
  /** When to send. Left out or past: at approval. */
  scheduleAt?: string
  /** Nothing is sent from then on. */
  expiresAt?: string
  /** Those who unsubscribed from the topic get nothing. */
  topicId?: string
  /** Sent again then. After the send time, before expiresAt. */
  remindAt?: string
  channelPlanOverride?: ChannelPlanOverride
  /** personal, whose text only authors and approvers see, needs an individual audience and is what that is unless said; every other audience is broadcast. */
  kind?: 'broadcast' | 'personal'
}

export type CreatePerson = {
  email: string
  name: string
  systemAdmin?: boolean
  /** Of the console, and of the mails to them. */
  language?: 'zh-TW' | 'en'
  /** Whether an approver is told by mail what waits. */
  notices?: boolean
  /** The subject who is the same person: their test messages go there. */
  subjectUid?: string | null
}

export type CreateTemplate = {
  /** Sessions with several units. Ignored for producer keys. */
  unitId?: string
  name: string
  categoryId: string
  messages: Array<CanonicalMessage>
  /** The subject of the mail. */
  subject?: LocalisedText
  variables?: Array<GivenVariable>
}

export type CreateTemplateVersion = {
  messages: Array<CanonicalMessage>
  /** The subject of the mail. */
  subject?: LocalisedText
  variables?: Array<GivenVariable>
}

export type CreateTopic = {
  /** Sessions with several units. Ignored for producer keys. */
  unitId?: string
  name: LocalisedText
  status?: 'active' | 'inactive'
}

export type CreateUnit = {
  name: string
  /** Keys of an administrative unit may use the Identity API. */
  kind?: 'ordinary' | 'administrative'
  /** On whose clock quiet hours are read. */
  timeZone?: string
}

export type CreatedCallback = {
  id: string
  unitId: string
  url: string
  description: string
  types: Array<'message.state_changed' | 'message.closed'>
  state: 'active' | 'failing' | 'disabled'
  /** gone: their server answered 410. */
  disabledReason: 'gone' | 'asked' | null
  /** The first failed try since the last success. */
  failingSince: string | null
  /** Deliveries that were never taken, since the last success. */
  givenUp: number
  lastDeliveredAt: string | null
  /** Until then the secret before it signs as well. */
  oldSecretUntil: string | null
  createdAt: string
  /** whsec_…, shown only in this answer. */
  secret: string
}

export type CreatedMessage = {
  id: string
  state: MessageState
  created: boolean
}

export type DeletedCallback = {
  deleted: true
}

export type DeletedEventBinding = {
  deleted: true
}

export type DryRun = {
  recipients: Recipients
  quota: Partial<Record<'chat' | 'email', QuotaForecast>>
  violations: Array<Violation>
}

export type EditCallback = {
  /** https, with a public address. No redirects are followed. */
  url?: string
  description?: string
  types?: Array<'message.state_changed' | 'message.closed'>
  enabled?: boolean
}

export type EditCategory = {
  name?: LocalisedText
  layer?: 'mandatory' | 'service' | 'promotional'
  consentScope?: string | null
  channelPlan?: {
    mode: 'first_available' | 'all'
    channels: Array<'chat' | 'email'>
  }
  approval_rule?: 'manual' | 'auto'
  /** How many people a message may reach that no person approves; with auto at least 1. */
  autoMaxRecipients?: number
  quietHours?: {
    from: string
    to: string
  } | null
  frequencyCap?: {
    n: number
    days: number
  } | null
  /** What becomes of mail of which nobody knows whether it arrived. */
  onUnknown?: 'keep' | 'repeat'
  enabled?: boolean
}

export type EditGroup = {
  name?: string
  legalBasis?:
    | 'consent'
    | 'contract'
    | 'legal_obligation'
    | 'vital_interests'
    | 'public_task'
    | 'legitimate_interests'
  /** A static group of the unit. Everybody in this group must be in it; null: none. */
  parentId?: string | null
  query?: GroupQuery
}

export type EditMessage = {
  categoryId?: string
  /** An alternative to messages. */
  templateId?: string
  /** The template's variables. */
  variables?: Record<string, unknown>
  messages?: Array<CanonicalMessage>
  audience?: Audience
  scheduleAt?: string | null
  expiresAt?: string | null
  topicId?: string | null
  remindAt?: string | null
  channelPlanOverride?: ChannelPlanOverride | null
  kind?: 'broadcast' | 'personal'
}

export type EditPerson = {
  email?: string
  name?: string
  systemAdmin?: boolean
  /** Of the console, and of the mails to them. */
  language?: 'zh-TW' | 'en'
  /** Whether an approver is told by mail what waits. */
  notices?: boolean
  /** The subject who is the same person: their test messages go there. */
  subjectUid?: string | null
}

export type EditTopic = {
  name?: LocalisedText
  status?: 'active' | 'inactive'
}

export type EditUnit = {
  name?: string
  /** Keys of an administrative unit may use the Identity API. */
  kind?: 'ordinary' | 'administrative'
  /** On whose clock quiet hours are read. */
  timeZone?: string
}

export type EditedMessage = {
  state: MessageState
  version: number
}

export type EmailEvent = {
  /** Unique; told again, it changes nothing. */
  id: string
  type: 'bounce' | 'complaint'
  /** Whose mailbox it was. */
  address?: string
  /** The Message-ID of the mail, instead of the address. */
  messageId?: string
  /** false: a bounce that may pass, which suppresses nothing. */
  permanent?: boolean
  /** ISO 8601 with an offset. What cannot be read, or lies in the future, counts as the moment of receipt. */
  at?: string
}

export type EmailWebhook = {
  /** Each is read by itself. What is no event of this form is stored as `unreadable`. */
  events: Array<EmailEvent | unknown>
}

export type ErasedSubject = {
  subjectId: string
  erasedAt: string
}

export type ErrorBody = {
  error: {
    code:
      | 'validation_error'
      | 'idempotency_key_required'
      | 'content_violation'
      | 'missing_variable'
      | 'audience_dimension_not_allowed'
      | 'dag_invalid'
      | 'fixed_category'
      | 'topic_inactive'
      | 'remind_before_send'
      | 'remind_after_expiry'
      | 'unauthenticated'
      | 'invalid_credential'
      | 'not_bound'
      | 'bad_signature'
      | 'stale_timestamp'
      | 'unknown_key'
      | 'forbidden'
      | 'unit_required'
      | 'category_not_allowed'
      | 'individual_targeting_disabled'
      | 'identity_api_forbidden'
      | 'not_found'
      | 'idempotency_mismatch'
      | 'invalid_transition'
      | 'quota_exceeded'
      | 'self_approval'
      | 'group_subset'
      | 'too_many_subjects'
      | 'too_many_events'
      | 'payload_too_large'
      | 'rate_limited'
      | 'internal'
      | 'provider'
      | 'retryable'
      | 'not_configured'
      | 'unavailable'
    message: string
    details?: unknown
  }
}

export type EventAnswer =
  | {
      accepted: true
      eventId: string
      /** false only for the request that made the outcome */
      duplicate: boolean
      messageId: string
    }
  | {
      error: EventError
      eventId: string
      /** false only for the request that made the outcome */
      duplicate: boolean
    }

export type EventAnswers = {
  items: Array<EventAnswer>
}

export type EventAudience = EventSubjects | QueryAudience

export type EventBatch = {
  /** At most 100. */
  events: Array<SystemEvent>
}

export type EventBinding = {
  id: string
  unitId: string
  source: string
  type: string
  categoryId: string
  templateId: string | null
  audience: EventAudience
  /** Signing keys that may raise it; null: all. Others are answered no_binding. */
  keyIds: Array<string> | null
  enabled: boolean
  createdAt: string
  updatedAt: string
}

export type EventBindingListQuery = {
  cursor?: string
  limit?: number
  unitId?: string
}

export type EventBindingPage = {
  items: Array<EventBinding>
  nextCursor: string | null
}

export type EventError =
  | 'no_subjects'
  | 'no_binding'
  | 'no_template'
  | 'missing_variable'
  | 'content_violation'
  | 'internal'

export type EventReplay = {
  events: number
  messages: number
  errors: Record<string, number>
  waiting: number
}

export type EventSubjects = {
  kind: 'event_subjects'
}

export type GivenVariable = {
  name: string
  /** Unless said: true where there is no default. */
  required?: boolean
  default?: unknown
}

export type GrantConsent = {
  scope: string
  version: string
  source: string
}

export type Group = {
  id: string
  unitId: string
  name: string
  kind: 'static' | 'dynamic'
  legalBasis:
    | 'consent'
    | 'contract'
    | 'legal_obligation'
    | 'vital_interests'
    | 'public_task'
    | 'legitimate_interests'
    | null
  parentId: string | null
  /** Of a dynamic group. */
  query?: GroupQuery
  /** Of a static group, where one group is asked for. */
  memberCount?: number
  createdAt: string
}

export type GroupListQuery = {
  cursor?: string
  limit?: number
  unitId?: string
}

export type GroupPage = {
  items: Array<Group>
  nextCursor: string | null
}

export type GroupQuery = {
  kind?: 'query'
  roles?: Array<'student' | 'teacher' | 'staff'>
  stages?: Array<'visitor' | 'lead' | 'member' | 'alumni'>
  orgUnits?: Array<string>
  classIds?: Array<string>
  groups?: Array<string>
  tags?: Array<string>
  history?: Array<HistoryEntry>
  exclude?: AudienceDimensions
}

export type Health = {
  status: 'ok' | 'degraded' | 'down'
  database: 'ok' | 'down'
  temporal: 'ok' | 'down'
  adapters: Partial<Record<'chat' | 'email', 'ok' | 'unavailable' | 'misconfigured' | 'not_configured'>>
  /** Runs that should have looked at their row a minute ago; those that fail again and again; how far the last one is behind. null while the database is down. */
  runs: {
    overdue: number
    wedged: number
    oldestSeconds: number
  } | null
  /** Messages whose send stands still and tries again every minute: the provider is down or refuses us, its monthly number is used up, or ours is. null while the database is down. */
  parked: {
    provider: number
    provider_quota: number
    quota: number
  } | null
  /** How sending stands on each channel. null while the database is down. */
  sending: Partial<
    Record<
      'chat' | 'email',
      {
        /** The provider asked for a pause: until then nothing but a probe is sent. */
        restsUntil: string | null
        /** Batches that were put off and are tried again. */
        retrying: number
        /** For how long the first of them has been. */
        oldestSeconds: number
      }
    >
  > | null
}

export type HistoryEntry =
  | {
      kind: 'registered'
      patternInstanceId: string
    }
  | {
      kind: 'received'
      messageId: string
    }
  | {
      kind: 'answered'
      messageId: string
      optionId?: string
    }

export type ImageMessage = {
  kind: 'image'
  url: string
  alt: LocalisedText
  previewUrl?: string
}

export type Import = {
  id: string
  state: 'receiving' | 'waiting' | 'working' | 'done'
  format: 'csv' | 'ndjson'
  lines: number
  done: number
  written: number
  refused: number
  by: Actor
  createdAt: string
  finishedAt: string | null
}

export type ImportPage = {
  items: Array<Import>
  nextCursor: string | null
}

export type InboxItem = {
  id: string
  messageId: string
  categoryId: string
  topicId: string | null
  /** When its send began. */
  receivedAt: string
  readAt: string | null
  /** As it was sent, in both languages; empty where the retention time of its text is over. */
  messages: Array<CanonicalMessage>
}

export type InboxPage = {
  items: Array<InboxItem>
  nextCursor: string | null
}

export type InboxRead = {
  id: string
  readAt: string
}

export type IndividualAudience = {
  kind: 'individual'
  uids: Array<string>
}

export type IssuedKey = {
  id: string
  key: string
}

export type JumpScenarioAction = {
  kind: 'jumpScenario'
  label: LocalisedText
  scenarioId: string
}

export type LedgerEntry = {
  channel: 'chat' | 'email'
  month: string
  limit: number
  reserved: number
  committed: number
  poolRemaining: number
  /** warning from 80 % on. */
  threshold: 'ok' | 'warning' | 'exhausted'
}

export type LocalisedText = {
  'zh-TW': string
  en?: string
}

export type MemberPage = {
  items: Array<{
    uid: string
    addedAt: string
  }>
  nextCursor: string | null
}

export type MembersChanged = {
  added: number
  removed: number
  unknown: number
}

export type MessageContent = {
  messages: Array<CanonicalMessage>
  variables: Record<string, unknown> | null
}

export type MessageDetail = {
  id: string
  version: number
  title: LocalisedText
  state: MessageState
  kind: 'broadcast' | 'personal'
  origin: 'api' | 'console' | 'event' | 'schedule'
  unitId: string
  category: {
    id: string
    name: LocalisedText
  }
  author: Actor
  createdAt: string
  submittedAt: string | null
  scheduleAt: string | null
  expiresAt: string | null
  remindAt: string | null
  /** From the stored dry-run; null before submit. */
  recipients: {
    total: number
    byChannel: Partial<Record<'chat' | 'email', number>>
  } | null
  /** Once a send has been prepared. */
  stats?: MessageStats
  /** Did the stored dry-run exceed the quota of any channel? */
  wouldExceed: boolean
  /** Why a person must look; drift: the audience or quota changed after approval. */
  review: {
    reason?: string
    drift?: boolean
  }
  problem?: 'provider' | 'provider_quota' | 'quota'
  allowed: Allowed
  categoryId: string
  topicId: string | null
  audience: StoredAudience
  /** The plan in force: the category's, narrowed. */
  channelPlan: ChannelPlan
  channelPlanOverride: ChannelPlanOverride | null
  template: {
    id: string
    name: string
    version: number
  } | null
  /** null where the message is personal and the caller neither its author nor an approver, and where the retention time of its text is over. */
  content: MessageContent | null
  snapshot: StoredDryRun | null
  approvals: Array<Approval>
  timeline: Array<TimelineEntry>
  reminder: Reminder | null
  /** The send, or the reminder, waits for its provider or for quota. */
  parked: Parked | null
  /** What of the send, or of the reminder, was put off and is tried again: by channel and reason. */
  retrying: Array<Retrying>
  /** From then on nothing can happen to it any more. */
  closedAt: string | null
}

export type MessageListItem = {
  id: string
  version: number
  title: LocalisedText
  state: MessageState
  kind: 'broadcast' | 'personal'
  origin: 'api' | 'console' | 'event' | 'schedule'
  unitId: string
  category: {
    id: string
    name: LocalisedText
  }
  author: Actor
  createdAt: string
  submittedAt: string | null
  scheduleAt: string | null
  expiresAt: string | null
  remindAt: string | null
  /** From the stored dry-run; null before submit. */
  recipients: {
    total: number
    byChannel: Partial<Record<'chat' | 'email', number>>
  } | null
  /** Once a send has been prepared. */
  stats?: MessageStats
  /** Did the stored dry-run exceed the quota of any channel? */
  wouldExceed: boolean
  /** Why a person must look; drift: the audience or quota changed after approval. */
  review: {
    reason?: string
    drift?: boolean
  }
  problem?: 'provider' | 'provider_quota' | 'quota'
  allowed: Allowed
}

export type MessageListQuery = {
  cursor?: string
  limit?: number
  unitId?: string
  state?: Array<MessageState> | MessageState
  categoryId?: string
  topicId?: string
  createdAfter?: string
  order?: 'newest' | 'oldest'
}

export type MessagePage = {
  items: Array<MessageListItem>
  nextCursor: string | null
}

export type MessageState =
  | 'draft'
  | 'submitted'
  | 'rejected'
  | 'approved'
  | 'sending'
  | 'sent'
  | 'failed'
  | 'paused'
  | 'cancelled'
  | 'stopped'
  | 'expired'

export type MessageStats = {
  sent: number
  /** By reason: noConsent, cancelled, expired, … */
  skipped: Record<string, number>
  failed: number
  /** May or may not have arrived: the provider never said. */
  unknown: number
  pending: number
  byChannel: Partial<
    Record<
      'chat' | 'email',
      {
        sent: number
        /** By reason: noConsent, cancelled, expired, … */
        skipped: Record<string, number>
        failed: number
        /** May or may not have arrived: the provider never said. */
        unknown: number
        pending: number
      }
    >
  >
}

export type MovedMessage = {
  state: MessageState
}

export type MuteAction = {
  kind: 'mute'
  label: LocalisedText
  categoryId: string
}

export type NextNodeAction = {
  kind: 'nextNode'
  label: LocalisedText
  nodeId: string
  optionId?: string
}

export type PageQuery = {
  cursor?: string
  limit?: number
}

export type Parked = {
  problem: 'provider' | 'provider_quota' | 'quota'
  since: string
  nextProbeAt: string
}

export type Person = {
  id: string
  name: string
  email: string
  systemAdmin: boolean
  language: 'zh-TW' | 'en'
  notices: boolean
  subjectUid: string | null
}

export type PersonPage = {
  items: Array<Person>
  nextCursor: string | null
}

export type PostbackAction = {
  kind: 'postback'
  label: LocalisedText
  data: {
    v: 1
    s?: string
    n?: string
    o?: string
    m?: string
    a?: string
  }
}

export type Preferences = {
  language: 'zh-TW' | 'en'
  /** By id. fixed: it is mandatory and cannot be switched off. */
  categories: Record<
    string,
    {
      chat: boolean
      email: boolean
      fixed: boolean
    }
  >
  /** By id; false: unsubscribed. */
  topics: Record<string, boolean>
}

export type Preview =
  | {
      channel: 'chat'
      locale: 'zh-TW' | 'en'
      messages: Array<CanonicalMessage>
      violations: Array<Violation>
      calls: Array<Array<Record<string, unknown>>>
    }
  | {
      channel: 'email'
      locale: 'zh-TW' | 'en'
      messages: Array<CanonicalMessage>
      violations: Array<Violation>
      subject: string
      /** A whole page. Links of ours lead to a page that explains itself. */
      html: string
      text: string
    }

export type PreviewMessage = {
  locale?: 'zh-TW' | 'en'
  channel: 'chat' | 'email'
}

export type Probe = {
  status: 'ok'
}

export type ProducerKey = {
  /** The part between hub_ and the second _. */
  id: string
  unitId: string
  name: string
  /** Only these; null: all. */
  categories: Array<string> | null
  dimensions: Array<string> | null
  /** May name people one by one. */
  individualTargeting: boolean
  createdAt: string
  revokedAt: string | null
}

export type ProducerKeyPage = {
  items: Array<ProducerKey>
  nextCursor: string | null
}

export type QueryAudience = {
  kind: 'query'
  roles?: Array<'student' | 'teacher' | 'staff'>
  stages?: Array<'visitor' | 'lead' | 'member' | 'alumni'>
  orgUnits?: Array<string>
  classIds?: Array<string>
  groups?: Array<string>
  tags?: Array<string>
  history?: Array<HistoryEntry>
  exclude?: AudienceDimensions
}

export type QuickReplyMessage = {
  kind: 'quickReply'
  text: LocalisedText
  options: Array<{
    id: string
    label: LocalisedText
  }>
}

export type QuotaAccount = {
  /** A unit, or the pool that all units share. */
  scope: 'pool' | string
  channel: 'chat' | 'email'
  month: string
  defaultLimit: number
  limit: number
  reserved: number
  committed: number
  threshold: 'ok' | 'warning' | 'exhausted'
}

export type QuotaAccountPage = {
  items: Array<QuotaAccount>
  nextCursor: string | null
}

export type QuotaForecast = {
  /** Of the send; a reminder costs at most the same again. */
  estimatedPushes: number
  unitRemaining: number
  poolRemaining: number
  /** Do unit and pool together fall short of the send, or of it and its reminder? */
  wouldExceed: boolean
}

export type Recipients = {
  total: number
  byChannel: Partial<Record<'chat' | 'email', number>>
  excluded: {
    noConsent: number
    noAddress: number
    preferenceOff: number
    blocked: number
  }
  unknown: number
  /** Only where the category has a frequency cap: people who have had their share. */
  frequency?: number
}

export type RefusedLine = {
  line: number
  column: string | null
  reason: string
}

export type RefusedLinePage = {
  items: Array<RefusedLine>
  nextCursor: string | null
}

export type RejectMessage = {
  reason: string
  version?: number
}

export type RejectTemplate = {
  reason: string
  version?: number
}

export type Reminder = {
  at: string
  state: 'waiting' | 'sending' | 'paused' | 'sent' | 'cancelled' | 'stopped' | 'expired' | 'missed' | null
  stats?: MessageStats
  /** Deliveries of the first send that arrived, or may have. */
  reached: number
  /** People who marked it read, answered, or asked for no reminder. */
  read: number
  /** People who asked for no reminder. */
  doNotRemind: number
  /** Deliveries of the reminder that arrived, or may have. */
  sentAfterReminder: number
}

export type RetryMessage = {
  skip?: boolean
}

export type Retrying = {
  channel: 'chat' | 'email'
  /** Why: `greylisted`, `throttled`, `http_500`, … */
  reason: string
  /** Deliveries that wait. */
  recipients: number
  /** How often at most they were put off. */
  tries: number
  since: string
  nextTryAt: string
}

export type RevokeConsent = {
  scope?: string
}

export type RevokedConsent = {
  scope: string
  withdrawnAt: string | null
}

export type RotatedCallback = {
  /** whsec_…, shown only in this answer. */
  secret: string
  oldSecretUntil: string
}

export type Session = {
  person: {
    id: string
    name: string
    email?: string
  }
  /** Those the person works in, by name. */
  units: Array<{
    id: string
    name: string
    roles: Array<'editor' | 'approver'>
  }>
  systemAdmin: boolean
  language: 'zh-TW' | 'en'
  /** When it ends though it is used; unused it ends before. */
  expiresAt: string
}

export type SetQuota = {
  /** A unit, or the pool that all units share. */
  scope: 'pool' | string
  channel: 'chat' | 'email'
  limit: number
  month?: string
}

export type StickerMessage = {
  kind: 'sticker'
  packageId: string
  stickerId: string
  fallbackText?: LocalisedText
}

export type StoredAudience = AllAudience | QueryAudience | StoredIndividualAudience

export type StoredDryRun = {
  recipients: Recipients
  quota: Partial<Record<'chat' | 'email', QuotaForecast>>
  violations: Array<Violation>
  at: string
}

export type StoredIndividualAudience = {
  kind: 'individual'
  uids: Array<string>
}

export type Subject = {
  uid: string
  subjectId: string
  stage: 'visitor' | 'lead' | 'member' | 'alumni'
  tags: Array<string>
  profile: {
    displayName: string | null
    locale: 'zh-TW' | 'en'
    roles: Array<string>
    orgUnits: Array<string>
    classIds: Array<string>
    /** Anything else. In a change: keys are set one by one, null removes one. */
    attributes: Record<string, unknown>
  }
  acquisition: {
    source: string
    ref: string | null
  } | null
  addresses: Array<SubjectAddress>
  consents: Array<Consent>
  createdAt: string
  updatedAt: string
}

export type SubjectAddress = {
  channel: 'chat' | 'email'
  address: string
  boundAt: string
  blocked: boolean
  suppressed: boolean
}

export type SubjectDelivery = {
  messageId: string
  unitId: string
  categoryId: string
  /** null for personal messages. */
  title: LocalisedText | null
  reminder: boolean
  channel: 'chat' | 'email'
  state: 'pending' | 'sent' | 'failed' | 'skipped' | 'unknown'
  reason: string | null
  /** When the provider was first asked; for the skipped, when the send began. */
  at: string | null
}

export type SubjectDeliveryPage = {
  items: Array<SubjectDelivery>
  nextCursor: string | null
}

export type SubjectExport = {
  exportedAt: string
  subject: Subject
  records: Record<string, Array<Record<string, unknown>>>
  deliveries: Array<SubjectDelivery>
}

export type SubjectRef = {
  uid: string
  subjectId: string
}

export type Summary = {
  /** Submitted messages. */
  toApprove: number
  /** Templates whose newest version is a draft. */
  templatesToApprove: number
  /** Messages, or their reminders, that are being sent. */
  sending: number
  /** Sends that stand still: provider or quota. */
  parked: number
}

export type SystemEvent = {
  eventId: string
  type: string
  occurredAt: string
  /** At most 5000; unknown ones are dropped. */
  subjectUids: Array<string>
  /** The variables of the template. */
  data: Record<string, unknown>
}

export type Template = {
  id: string
  unitId: string
  name: string
  categoryId: string
  /** The version that messages use: the newest approved one; while there is none, the newest. */
  inForce: number
  state: 'draft' | 'approved' | 'rejected'
  version: number
  messages: Array<CanonicalMessage>
  subject: LocalisedText | null
  variables: Array<TemplateVariable>
  author: Actor
  createdAt: string
  decision: {
    by: Actor
    at: string
    reason?: string
  } | null
}

export type TemplateListQuery = {
  cursor?: string
  limit?: number
  unitId?: string
  state?: Array<'draft' | 'approved' | 'rejected'> | 'draft' | 'approved' | 'rejected'
  categoryId?: string
}

export type TemplatePage = {
  items: Array<Template>
  nextCursor: string | null
}

export type TemplateVariable = {
  name: string
  required: boolean
  default?: unknown
}

export type TemplateVersion = {
  state: 'draft' | 'approved' | 'rejected'
  version: number
  messages: Array<CanonicalMessage>
  subject: LocalisedText | null
  variables: Array<TemplateVariable>
  author: Actor
  createdAt: string
  decision: {
    by: Actor
    at: string
    reason?: string
  } | null
}

export type TemplateVersionPage = {
  items: Array<TemplateVersion>
  nextCursor: string | null
}

export type TestSend = {
  channel?: 'chat' | 'email'
}

export type TestSent = {
  sent: true
  channel: 'chat' | 'email'
}

export type TestedCallback = {
  delivered: boolean
  /** The HTTP status they answered; null without an answer. */
  status: number | null
  /** Why it was not taken: http_error, redirect, timeout, no_connection, address_refused, secret_unreadable, internal, … */
  code: string | null
  durationMs: number
}

export type TextMessage = {
  kind: 'text'
  text: LocalisedText
}

export type TimelineEntry = {
  at: string
  what: string
  by: Actor
  reason?: string
}

export type Topic = {
  id: string
  unitId: string
  name: LocalisedText
  status: 'active' | 'inactive'
  createdAt: string
}

export type TopicListQuery = {
  cursor?: string
  limit?: number
  unitId?: string
  status?: Array<'active' | 'inactive'> | 'active' | 'inactive'
}

export type TopicPage = {
  items: Array<Topic>
  nextCursor: string | null
}

export type Unit = {
  id: string
  name: string
  kind: 'ordinary' | 'administrative'
  timeZone: string
  members: Array<{
    id: string
    name: string
    roles: Array<'editor' | 'approver'>
  }>
  ledger: Array<LedgerEntry>
}

export type UnitMember = {
  id: string
  name: string
  email: string
  roles: Array<'editor' | 'approver'>
}

export type UnitMemberPage = {
  items: Array<UnitMember>
  nextCursor: string | null
}

export type UnitRecord = {
  id: string
  name: string
  /** Keys of an administrative unit may use the Identity API. */
  kind: 'ordinary' | 'administrative'
  timeZone: string
}

export type UnitRecordPage = {
  items: Array<UnitRecord>
  nextCursor: string | null
}

export type UpdateEventBinding = {
  source?: string
  type?: string
  categoryId?: string
  /** Without one, events are recorded and answered no_template. */
  templateId?: string | null
  audience?: EventAudience
  /** Not available yet. */
  scenarioId?: string | null
  /** Signing keys that may raise it; null: all. Others are answered no_binding. */
  keyIds?: Array<string> | null
  /** Unless said: true. One in force for each (source, type). */
  enabled?: boolean
}

export type UpdateSubject = {
  stage?: 'visitor' | 'lead' | 'member' | 'alumni'
  profile?: {
    displayName?: string | null
    locale?: 'zh-TW' | 'en'
    roles?: Array<'student' | 'teacher' | 'staff'>
    orgUnits?: Array<string>
    classIds?: Array<string>
    /** Anything else. In a change: keys are set one by one, null removes one. */
    attributes?: Record<string, unknown>
  }
  acquisition?: Acquisition
  tags?: {
    add?: Array<string>
    remove?: Array<string>
  }
}

export type UriAction = {
  kind: 'uri'
  label: LocalisedText
  url: string
}

export type Verdict =
  | true
  | {
      code: string
      message: string
    }

export type Violation = {
  path: string
  code: string
  limit?: number
  message: LocalisedText
}

export type WebhookTaken = {
  stored: number
  /** How many others were new and could not be read: they are kept, and nothing follows from them. Left out where all could. */
  unreadable?: number
}
