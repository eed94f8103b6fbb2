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
        | 'audience_small'
        | 'category_not_auto'
        | 'audience_not_subjects'
        | 'template_required'
        | 'template_not_approved'
        | 'quota'
        | 'audience_too_large'
        | 'content_violation'
    }

export type ApproveEventBinding = {
  version?: number
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

export type AudienceGroup = {
  id: string
  name: string
  kind: 'static' | 'dynamic'
  /** The producer key that keeps the group up to date: its changes do not return the message to review, unless more than a tenth of the recipients change. */
  keptBy: Actor | null
}

export type AuditEntry = {
  id: number
  at: string
  /** null: concerns the installation rather than a unit. */
  unitId: string | null
  by: Actor
  action: string
  objectKind: string
  objectId: string
  fromState: string | null
  toState: string | null
  version: number | null
  reason: string | null
  /** Further details; never names, addresses or texts. */
  details: unknown
}

export type AuditPage = {
  items: Array<AuditEntry>
  nextCursor: string | null
}

export type BindAddress = {
  /** An e-mail address, or the chat provider's id of the user. */
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
  types: Array<'message.state_changed' | 'message.closed' | 'message.answered' | 'message.answers'>
  state: 'active' | 'failing' | 'disabled'
  /** gone: the endpoint answered 410. asked: a caller disabled it. */
  disabledReason: 'gone' | 'asked' | null
  /** The first failed attempt since the last success. */
  failingSince: string | null
  /** Exhausted deliveries since the last success. */
  exhausted: number
  lastDeliveredAt: string | null
  /** Until then requests are also signed with the previous secret. */
  oldSecretUntil: string | null
  createdAt: string
}

export type CallbackDelivery = {
  id: string
  type: 'message.state_changed' | 'message.closed' | 'message.answered' | 'message.answers'
  messageId: string
  messageState: MessageState
  state: 'waiting' | 'delivered' | 'failed'
  tries: number
  /** The HTTP status of the response; null if there was none. */
  status: number | null
  /** Why the attempt failed: http_error, redirect, timeout, no_connection, address_refused, secret_unreadable, individual_targeting_disabled, internal, … */
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
  /** Required for sessions of people in several units; ignored for producer keys. */
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
  /** mandatory ignores preferences, topics, quiet hours and the frequency cap, never consent or a block. */
  layer: 'mandatory' | 'service' | 'promotional'
  consentScope: string | null
  channelPlan: ChannelPlan
  approval_rule: 'manual' | 'auto'
  /** The largest audience that the automatic check may approve. */
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
  names?: unknown
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
  /** Milliseconds since 1970. A negative or future value is replaced by the time of receipt. */
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
  /** Each event is parsed separately. An invalid one is stored as `unreadable`. */
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
  /** Required for sessions of people in several units; ignored for producer keys. */
  unitId?: string
  /** An https URL with a public address. Redirects are not followed. */
  url: string
  description?: string
  types?: Array<'message.state_changed' | 'message.closed' | 'message.answered' | 'message.answers'>
}

export type CreateCategory = {
  id: string
  name: LocalisedName
  layer: 'mandatory' | 'service' | 'promotional'
  consentScope?: string | null
  channelPlan: {
    mode: 'first_available' | 'all'
    channels: Array<'chat' | 'email'>
  }
  approval_rule?: 'manual' | 'auto'
  /** The largest audience that the automatic check may approve; at least 1 if approval_rule is auto. */
  autoMaxRecipients?: number
  quietHours?: {
    from: string
    to: string
  } | null
  frequencyCap?: {
    n: number
    days: number
  } | null
  /** What happens to mail whose outcome is unknown. */
  onUnknown?: 'keep' | 'repeat'
  enabled?: boolean
}

export type CreateEventBinding = {
  /** Required for sessions of people in several units; ignored for producer keys. */
  unitId?: string
  source: string
  type: string
  categoryId: string
  /** Without a template, events are recorded with the error no_template. */
  templateId?: string | null
  audience: EventAudience
  /** Not available yet. */
  scenarioId?: string | null
  /** The signing keys this binding accepts; null: all. Events signed with others get the error no_binding. */
  keyIds?: Array<string> | null
  /** Default: true. At most one binding of each (source, type) can be enabled. */
  enabled?: boolean
}

export type CreateGroup = {
  /** Required for sessions of people in several units; ignored for producer keys. */
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
  /** A static group of the unit that must contain all members of this group; null: none. */
  parentId?: string | null
  query?: GroupQuery
  /** The id of the producer key that keeps the group up to date: its changes alone return no approved message to review, unless more than a tenth of the recipients change. Approvers see it. null: none. */
  keptBy?: string | null
}

export type CreateKey = {
  unitId: string
  name: string
  /** The key may use only these; null: all. */
  categories?: Array<string> | null
  /** The key may use only these; null: all. */
  dimensions?: Array<
    'all' | 'roles' | 'stages' | 'orgUnits' | 'classIds' | 'groups' | 'tags' | 'history'
  > | null
  /** Whether the key may use individual audiences, and small audiences of its own groups. */
  individualTargeting?: boolean
  /** Whether the key may create groups, and change them and their members. */
  groupWriting?: boolean
}

export type CreateMessage = {
  /** Required for sessions of people in several units; ignored for producer keys. */
  unitId?: string
  categoryId: string
  /** Alternative to messages. */
  templateId?: string
  /** The template variables. */
  variables?: Record<string, unknown>
  /** At most 100,000 characters in all texts together. */
  messages?: Array<CanonicalMessage>
  audience: Audience
  /** When to send. Omitted or in the past: at approval. */
  scheduleAt?: string
  /** Nothing is sent from this time on. */
  expiresAt?: string
  /** Subjects who have unsubscribed from the topic are skipped. Not with a mandatory category. */
  topicId?: string
  /** When to send the reminder: after the send time and before expiresAt. */
  remindAt?: string
  channelPlanOverride?: ChannelPlanOverride
  /** The text of a personal message is shown only to its authors and to approvers. personal requires an individual audience and is its default; every other audience is broadcast, unless it is so small that submit makes the message personal. */
  kind?: 'broadcast' | 'personal'
}

export type CreatePerson = {
  email: string
  name: string
  systemAdmin?: boolean
  /** The language of the console and of mails to this person. */
  language?: 'zh-TW' | 'en'
  /** Whether an approver is notified by mail of pending approvals. */
  notices?: boolean
  /** The subject that is the same person; receives their test messages. */
  subjectUid?: string | null
}

export type CreateTemplate = {
  /** Required for sessions of people in several units; ignored for producer keys. */
  unitId?: string
  name: string
  categoryId: string
  /** At most 100,000 characters in all texts together. */
  messages: Array<TemplateMessage>
  /** The subject of the mail. */
  subject?: LocalisedText
  variables?: Array<GivenVariable>
}

export type CreateTemplateVersion = {
  /** At most 100,000 characters in all texts together. */
  messages: Array<TemplateMessage>
  /** The subject of the mail. */
  subject?: LocalisedText
  variables?: Array<GivenVariable>
}

export type CreateTopic = {
  /** Required for sessions of people in several units; ignored for producer keys. */
  unitId?: string
  name: TopicName
  status?: 'active' | 'inactive'
}

export type CreateUnit = {
  name: string
  /** Keys of an administrative unit may use the Identity API. */
  kind?: 'ordinary' | 'administrative'
  /** The time zone of quiet hours. */
  timeZone?: string
}

export type CreatedCallback = {
  id: string
  unitId: string
  url: string
  description: string
  types: Array<'message.state_changed' | 'message.closed' | 'message.answered' | 'message.answers'>
  state: 'active' | 'failing' | 'disabled'
  /** gone: the endpoint answered 410. asked: a caller disabled it. */
  disabledReason: 'gone' | 'asked' | null
  /** The first failed attempt since the last success. */
  failingSince: string | null
  /** Exhausted deliveries since the last success. */
  exhausted: number
  lastDeliveredAt: string | null
  /** Until then requests are also signed with the previous secret. */
  oldSecretUntil: string | null
  createdAt: string
  /** whsec_…, returned only in this response. */
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

export type Drift = {
  /** audience: the recipients or the groups changed. limit: more recipients than the automatic check may approve. quota: the quota is short. */
  reason: 'audience' | 'limit' | 'quota'
  /** When the dry-run that was approved was made. */
  since: string
  recipients: {
    before: number
    now: number
  }
  /** Recipients added and missing. A new address of the same subject counts as both. */
  byChannel: Partial<
    Record<
      'chat' | 'email',
      {
        new: number
        gone: number
      }
    >
  >
  /** Whether `byChannel` is exact. An estimate is within about 3 % of the recipients. */
  exact: boolean
  /** Groups of the audience that were changed: once for each actor and kind of change. */
  groups: Array<{
    id: string
    name: string
    what: 'members' | 'query'
    by: Actor
    /** Of the first such change. */
    at: string
  }>
}

export type DryRun = {
  recipients: Recipients
  quota: Partial<Record<'chat' | 'email', QuotaForecast>>
  /** Content that must be changed before the message can be submitted. */
  violations: Array<Violation>
  /** Content that can be sent, but may not do what its author expects: `no_scenario`, a button that leads into a scenario of which the message is no part. */
  warnings: Array<Violation>
}

export type EditCallback = {
  /** An https URL with a public address. Redirects are not followed. */
  url?: string
  description?: string
  types?: Array<'message.state_changed' | 'message.closed' | 'message.answered' | 'message.answers'>
  enabled?: boolean
}

export type EditCategory = {
  name?: LocalisedName
  layer?: 'mandatory' | 'service' | 'promotional'
  consentScope?: string | null
  channelPlan?: {
    mode: 'first_available' | 'all'
    channels: Array<'chat' | 'email'>
  }
  approval_rule?: 'manual' | 'auto'
  /** The largest audience that the automatic check may approve; at least 1 if approval_rule is auto. */
  autoMaxRecipients?: number
  quietHours?: {
    from: string
    to: string
  } | null
  frequencyCap?: {
    n: number
    days: number
  } | null
  /** What happens to mail whose outcome is unknown. */
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
  /** A static group of the unit that must contain all members of this group; null: none. */
  parentId?: string | null
  query?: GroupQuery
  /** The id of the producer key that keeps the group up to date: its changes alone return no approved message to review, unless more than a tenth of the recipients change. Approvers see it. null: none. */
  keptBy?: string | null
}

export type EditMessage = {
  categoryId?: string
  /** Alternative to messages. */
  templateId?: string
  /** The template variables. */
  variables?: Record<string, unknown>
  /** At most 100,000 characters in all texts together. */
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
  /** The language of the console and of mails to this person. */
  language?: 'zh-TW' | 'en'
  /** Whether an approver is notified by mail of pending approvals. */
  notices?: boolean
  /** The subject that is the same person; receives their test messages. */
  subjectUid?: string | null
}

export type EditTopic = {
  name?: TopicName
  status?: 'active' | 'inactive'
}

export type EditUnit = {
  name?: string
  /** Keys of an administrative unit may use the Identity API. */
  kind?: 'ordinary' | 'administrative'
  /** The time zone of quiet hours. */
  timeZone?: string
}

export type EditedMessage = {
  state: MessageState
  version: number
}

export type EmailEvent = {
  /** Unique. A repeated id changes nothing. */
  id: string
  type: 'bounce' | 'complaint'
  /** The address of the mailbox. */
  address?: string
  /** The Message-ID of the mail, as an alternative to address. */
  messageId?: string
  /** false: a transient bounce, which does not suppress the address. */
  permanent?: boolean
  /** ISO 8601 with an offset. An invalid or future time is replaced by the time of receipt. */
  at?: string
}

export type EmailWebhook = {
  /** Each event is parsed separately. An invalid one is stored as `unreadable`. */
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
      | 'method_not_allowed'
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
      /** false only for the request that produced the outcome. */
      duplicate: boolean
      messageId: string
    }
  | {
      error: EventError
      details?: EventErrorDetails
      eventId: string
      /** false only for the request that produced the outcome. */
      duplicate: boolean
    }

export type EventAnswers = {
  items: Array<EventAnswer>
}

export type EventAudience = EventSubjects | QueryAudience

export type EventBatch = {
  /** At most 100, with at most 50,000 subjectUids together. */
  events: Array<SystemEvent>
  /** Must be absent: the body of a Lookup has it. */
  subject?: never
}

export type EventBinding = {
  id: string
  unitId: string
  source: string
  type: string
  categoryId: string
  templateId: string | null
  audience: StoredEventAudience
  /** The signing keys this binding accepts; null: all. Events signed with others get the error no_binding. */
  keyIds: Array<string> | null
  enabled: boolean
  /** The version that events use; null while none has been approved. Then events get no_binding. */
  inForce: number | null
  /** The version written last: in force, waiting for an approver, or rejected. */
  newest: EventBindingVersion
  createdAt: string
  updatedAt: string
}

export type EventBindingListQuery = {
  cursor?: string
  limit?: number
  /** Required for sessions of people in several units; ignored for producer keys. */
  unitId?: string
}

export type EventBindingPage = {
  items: Array<EventBinding>
  nextCursor: string | null
}

export type EventBindingVersion = {
  version: number
  /** submitted: waits for an approver. replaced: a newer version has taken its place. */
  state: 'submitted' | 'in_force' | 'replaced' | 'rejected'
  source: string
  type: string
  categoryId: string
  templateId: string | null
  audience: StoredEventAudience
  /** The signing keys this binding accepts; null: all. Events signed with others get the error no_binding. */
  keyIds: Array<string> | null
  enabled: boolean
  author: Actor
  createdAt: string
  decision: {
    by: Actor
    at: string
    reason?: string
  } | null
}

export type EventError =
  | 'no_subjects'
  | 'no_binding'
  | 'no_template'
  | 'missing_variable'
  | 'content_violation'
  | 'internal'

export type EventErrorDetails =
  | {
      /** The required variables of the template that are not in `data`. */
      variables: Array<string>
    }
  | {
      /** What no channel can carry once the variables are filled in; `path` is in the template. */
      violations: Array<Violation>
    }

export type EventReplay = {
  events: number
  messages: number
  errors: Record<string, number>
  waiting: number
}

export type EventSubjects = {
  kind: 'event_subjects'
}

export type FindSuppression = {
  channel: 'chat' | 'email'
  /** In any spelling. */
  address: string
}

export type FoundSuppression = {
  suppression: Suppression | null
}

export type GivenVariable = {
  name: string
  /** Default: true if there is no default value. */
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
  /** Only for dynamic groups. */
  query?: StoredGroupQuery
  /** The id of the producer key that keeps the group up to date: its changes alone return no approved message to review, unless more than a tenth of the recipients change. Approvers see it. null: none. */
  keptBy: string | null
  /** Only for static groups, and not in lists. */
  memberCount?: number
  createdAt: string
}

export type GroupListQuery = {
  cursor?: string
  limit?: number
  /** Required for sessions of people in several units; ignored for producer keys. */
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
  /** down: unavailable, or takes no writes, as a standby. */
  database: 'ok' | 'down'
  temporal: 'ok' | 'down'
  adapters: Partial<Record<'chat' | 'email', 'ok' | 'unavailable' | 'misconfigured' | 'not_configured'>>
  /** overdue: runs at least a minute late; wedged: runs whose workflow task keeps failing; restarted: runs begun anew within a day because they were wedged; oldestSeconds: how late the run is that is furthest behind. null while the database is down. */
  runs: {
    overdue: number
    wedged: number
    restarted: number
    oldestSeconds: number
  } | null
  /** Messages whose send is parked and retries every minute. provider: the provider is down or rejects the installation; provider_quota: its monthly quota is exhausted; quota: Carillon's quota is exhausted; internal: a step keeps failing inside Carillon and is retried every hour. null while the database is down. */
  parked: {
    provider: number
    provider_quota: number
    quota: number
    internal: number
  } | null
  /** The state of sending by channel. null while the database is down. */
  sending: Partial<
    Record<
      'chat' | 'email',
      {
        /** Set while the channel rests, as its provider asked: until then only a probe is sent. */
        restsUntil: string | null
        /** Deferred batches that are being retried. */
        retrying: number
        /** How long the oldest of them has been deferred. */
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
  /** When the send started. */
  receivedAt: string
  readAt: string | null
  /** As sent, in both languages; empty once the retention period of the text has passed. */
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
  /** warning: from 80 % of the limit on. */
  threshold: 'ok' | 'warning' | 'exhausted'
}

export type LiftSuppression = {
  channel: 'chat' | 'email'
  /** In any spelling. */
  address: string
  reason: string
}

export type LocalisedName = {
  'zh-TW': string
  en?: string
}

export type LocalisedText = {
  'zh-TW': string
  /** An empty text counts as omitted. */
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
  messages: Array<TemplateMessage>
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
  /** In lists, omitted until the deliveries are written. */
  stats?: MessageStats
  /** Whether the stored dry-run exceeds the quota of any channel. */
  wouldExceed: boolean
  /** Why a person must review it. drift: after approval, audience or quota changed; `drift` in the detail says how. */
  review: {
    reason?: string
    drift?: boolean
  }
  problem?: 'provider' | 'provider_quota' | 'quota' | 'internal'
  allowed: Allowed
  /** How many people chose each option or button: by its own id (`id`, `optionId`, or `o` of a postback), otherwise by its place, counted from 1: `<block>.<option>`, in a carousel `<block>.<card>.<option>`. The last answer to a question counts. Counted as long as answers are kept. */
  answers: Record<string, number>
  categoryId: string
  topicId: string | null
  audience: StoredAudience
  /** The groups on which the audience depends. Empty before submit. */
  audienceGroups: Array<AudienceGroup>
  /** Set while the message waits for review because it changed after its approval. */
  drift: Drift | null
  /** The effective plan: the category's plan, narrowed. */
  channelPlan: ChannelPlan
  channelPlanOverride: StoredChannelPlanOverride | null
  template: {
    id: string
    name: string
    version: number
  } | null
  /** null if the message is personal and the caller is neither an author nor an approver, or if the retention period of its text has passed. */
  content: MessageContent | null
  snapshot: StoredDryRun | null
  approvals: Array<Approval>
  timeline: Array<TimelineEntry>
  reminder: Reminder | null
  /** Set while the send or the reminder waits for its provider or for quota. */
  parked: Parked | null
  /** Deferred deliveries of the send or the reminder, by channel and reason. */
  retrying: Array<Retrying>
  /** Set once the message can no longer change. */
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
  /** In lists, omitted until the deliveries are written. */
  stats?: MessageStats
  /** Whether the stored dry-run exceeds the quota of any channel. */
  wouldExceed: boolean
  /** Why a person must review it. drift: after approval, audience or quota changed; `drift` in the detail says how. */
  review: {
    reason?: string
    drift?: boolean
  }
  problem?: 'provider' | 'provider_quota' | 'quota' | 'internal'
  allowed: Allowed
}

export type MessageListQuery = {
  cursor?: string
  limit?: number
  /** Required for sessions of people in several units; ignored for producer keys. */
  unitId?: string
  state?: Array<MessageState> | MessageState
  categoryId?: string
  topicId?: string
  /** ISO 8601 with an offset of at most 14:00, or Z; seconds may be omitted. */
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
  /** By reason, such as noConsent, cancelled or expired. */
  skipped: Record<string, number>
  failed: number
  /** May or may not have arrived: the provider reported no outcome. */
  unknown: number
  pending: number
  byChannel: Partial<
    Record<
      'chat' | 'email',
      {
        sent: number
        /** By reason, such as noConsent, cancelled or expired. */
        skipped: Record<string, number>
        failed: number
        /** May or may not have arrived: the provider reported no outcome. */
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
  problem: 'provider' | 'provider_quota' | 'quota' | 'internal'
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
  /** By category id. fixed: the category is mandatory and cannot be turned off. */
  categories: Record<
    string,
    {
      chat: boolean
      email: boolean
      fixed: boolean
    }
  >
  /** By topic id; false: unsubscribed. */
  topics: Record<string, boolean>
  /** The names of the same categories and topics, by id, for people to read. */
  names: {
    categories: Record<string, LocalisedText>
    topics: Record<string, LocalisedText>
  }
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
      /** A complete HTML page. Links that Carillon adds lead to a sample page. */
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
  /** The part of the key between hub_ and the second underscore. */
  id: string
  unitId: string
  name: string
  /** The key may use only these; null: all. */
  categories: Array<string> | null
  dimensions: Array<string> | null
  /** Whether the key may use individual audiences, and small audiences of its own groups. */
  individualTargeting: boolean
  /** Whether the key may create groups, and change them and their members. */
  groupWriting: boolean
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
  /** A unit id, or `pool`, which all units share. */
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
  /** For the send. A reminder costs at most the same again. */
  estimatedPushes: number
  unitRemaining: number
  poolRemaining: number
  /** Whether unit and pool together cannot cover the send, including its reminder. */
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
  /** Subjects who have reached the frequency cap. Only if the category has one. */
  frequency?: number
}

export type RecordedEvent = {
  id: string
  source: string
  eventId: string
  type: string
  occurredAt: string
  /** When it was last sent with a new signature and recorded. */
  receivedAt: string
  /** The signing key. */
  keyId: string
  /** How many uids it names, known or not; 0 once its data is deleted. */
  subjects: number
  messageId: string | null
  error: EventError | null
  details: EventErrorDetails | null
}

export type RecordedEventListQuery = {
  cursor?: string
  limit?: number
  unitId?: string
  source?: string
  type?: string
  error?: EventError
}

export type RecordedEventPage = {
  items: Array<RecordedEvent>
  nextCursor: string | null
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

export type RejectEventBinding = {
  reason: string
  version?: number
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
  /** Deliveries of the first send that arrived or may have arrived. */
  reached: number
  /** Recipients who marked it as read, answered, or asked not to be reminded. */
  read: number
  /** Recipients who asked not to be reminded. */
  doNotRemind: number
  /** Deliveries of the reminder that arrived or may have arrived. */
  sentAfterReminder: number
}

export type RetryMessage = {
  skip?: boolean
}

export type Retrying = {
  channel: 'chat' | 'email'
  /** The reason, such as `greylisted`, `throttled` or `http_500`. */
  reason: string
  /** Deferred deliveries. */
  recipients: number
  /** The largest number of times that one of them was deferred. */
  tries: number
  since: string
  nextTryAt: string
}

export type RevokeConsent = {
  scope?: string
  /** Accepted and not used: a consent is withdrawn as a whole. */
  version?: string
  /** Accepted and not used. */
  source?: string
}

export type RevokedConsent = {
  scope: string
  withdrawnAt: string | null
}

export type RotatedCallback = {
  /** whsec_…, returned only in this response. */
  secret: string
  oldSecretUntil: string
}

export type Session = {
  person: {
    id: string
    name: string
    email?: string
  }
  /** The units of the person, by name. */
  units: Array<{
    id: string
    name: string
    roles: Array<'editor' | 'approver'>
  }>
  systemAdmin: boolean
  language: 'zh-TW' | 'en'
  /** When the session ends at the latest. An idle session ends earlier. */
  expiresAt: string
}

export type SetQuota = {
  /** A unit id, or `pool`, which all units share. */
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

export type StoredAllAudience = {
  kind: 'all'
  exclude?: StoredAudienceDimensions
}

export type StoredAudience = StoredAllAudience | StoredQueryAudience | StoredIndividualAudience

export type StoredAudienceDimensions = {
  kind?: 'query'
  roles?: Array<'student' | 'teacher' | 'staff'>
  stages?: Array<'visitor' | 'lead' | 'member' | 'alumni'>
  orgUnits?: Array<string>
  classIds?: Array<string>
  groups?: Array<string>
  tags?: Array<string>
  history?: Array<HistoryEntry>
}

export type StoredChannelPlanOverride = {
  channels?: Array<'chat' | 'email'>
  mode?: 'first_available' | 'all'
}

export type StoredDryRun = {
  recipients: Recipients
  quota: Partial<Record<'chat' | 'email', QuotaForecast>>
  /** Content that must be changed before the message can be submitted. */
  violations: Array<Violation>
  /** Content that can be sent, but may not do what its author expects: `no_scenario`, a button that leads into a scenario of which the message is no part. */
  warnings: Array<Violation>
  at: string
}

export type StoredEventAudience = EventSubjects | StoredQueryAudience

export type StoredGroupQuery = {
  kind?: 'query'
  roles?: Array<'student' | 'teacher' | 'staff'>
  stages?: Array<'visitor' | 'lead' | 'member' | 'alumni'>
  orgUnits?: Array<string>
  classIds?: Array<string>
  groups?: Array<string>
  tags?: Array<string>
  history?: Array<HistoryEntry>
  exclude?: StoredAudienceDimensions
}

export type StoredIndividualAudience = {
  kind: 'individual'
  /** The number of uids. */
  count: number
  /** Only for approvers of the unit, and for authors whose key has individual targeting. */
  uids?: Array<string>
}

export type StoredQueryAudience = {
  kind: 'query'
  roles?: Array<'student' | 'teacher' | 'staff'>
  stages?: Array<'visitor' | 'lead' | 'member' | 'alumni'>
  orgUnits?: Array<string>
  classIds?: Array<string>
  groups?: Array<string>
  tags?: Array<string>
  history?: Array<HistoryEntry>
  exclude?: StoredAudienceDimensions
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
    /** Other attributes. In an update each key is set separately; null removes it. */
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
  /** When the provider was first called; for skipped deliveries, when the send started. */
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
  /** Event bindings with a submitted version. */
  bindingsToApprove: number
  /** Messages or reminders that are being sent. */
  sending: number
  /** Sends that are parked for their provider or for quota. */
  parked: number
}

export type Suppression = {
  channel: 'chat' | 'email'
  since: string
  /** bounce: a mail server reported that the mailbox does not exist. complaint: its owner complained. refused: a mail server refused it during a send. */
  why: 'bounce' | 'complaint' | 'refused'
}

export type SystemEvent = {
  eventId: string
  type: string
  /** ISO 8601. Without an offset it is in UTC. */
  occurredAt: string
  /** At most 5000; unknown and malformed uids are ignored. */
  subjectUids: Array<string>
  /** The template variables. */
  data: Record<string, unknown>
  /** Must be absent: the body of a Lookup has it. */
  subject?: never
}

export type Template = {
  id: string
  unitId: string
  name: string
  categoryId: string
  /** The version that messages use: the newest approved one, or the newest if none is approved. */
  inForce: number
  state: 'draft' | 'approved' | 'rejected'
  version: number
  messages: Array<TemplateMessage>
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

export type TemplateAction =
  | TemplateUriAction
  | PostbackAction
  | NextNodeAction
  | JumpScenarioAction
  | MuteAction
  | AddToGroupAction

export type TemplateButtonsMessage = {
  kind: 'buttons'
  text: LocalisedText
  actions: Array<TemplateAction>
}

export type TemplateCardMessage = {
  kind: 'card'
  header?: LocalisedText
  title: LocalisedText
  body?: LocalisedText
  /** A URL, or a text with variables. With the variables filled in it must be a URL. */
  imageUrl?: string
  actions: Array<TemplateAction>
  lockedReason?: LocalisedText
}

export type TemplateCarouselMessage = {
  kind: 'carousel'
  cards: Array<TemplateCardMessage>
}

export type TemplateImageMessage = {
  kind: 'image'
  /** A URL, or a text with variables. With the variables filled in it must be a URL. */
  url: string
  alt: LocalisedText
  /** A URL, or a text with variables. With the variables filled in it must be a URL. */
  previewUrl?: string
}

export type TemplateListQuery = {
  cursor?: string
  limit?: number
  /** Required for sessions of people in several units; ignored for producer keys. */
  unitId?: string
  state?: Array<'draft' | 'approved' | 'rejected'> | 'draft' | 'approved' | 'rejected'
  categoryId?: string
}

export type TemplateMessage =
  | TextMessage
  | TemplateImageMessage
  | StickerMessage
  | TemplateCardMessage
  | TemplateCarouselMessage
  | TemplateButtonsMessage
  | QuickReplyMessage

export type TemplatePage = {
  items: Array<Template>
  nextCursor: string | null
}

export type TemplateUriAction = {
  kind: 'uri'
  label: LocalisedText
  /** A URL, or a text with variables. With the variables filled in it must be a URL. */
  url: string
}

export type TemplateVariable = {
  name: string
  required: boolean
  default?: unknown
}

export type TemplateVersion = {
  state: 'draft' | 'approved' | 'rejected'
  version: number
  messages: Array<TemplateMessage>
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
  /** The HTTP status of the response; null if there was none. */
  status: number | null
  /** Why the attempt failed: http_error, redirect, timeout, no_connection, address_refused, secret_unreadable, individual_targeting_disabled, internal, … */
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
  /** Required for sessions of people in several units; ignored for producer keys. */
  unitId?: string
  status?: Array<'active' | 'inactive'> | 'active' | 'inactive'
}

export type TopicName = {
  'zh-TW': string
  en?: string
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
  /** Without a template, events are recorded with the error no_template. */
  templateId?: string | null
  audience?: EventAudience
  /** Not available yet. */
  scenarioId?: string | null
  /** The signing keys this binding accepts; null: all. Events signed with others get the error no_binding. */
  keyIds?: Array<string> | null
  /** Default: true. At most one binding of each (source, type) can be enabled. */
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
    /** Other attributes. In an update each key is set separately; null removes it. */
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

export type WebhookReceipt = {
  stored: number
  /** The number of new events that could not be parsed. They are stored and have no effect. Omitted if there are none. */
  unreadable?: number
  /** The number of events that happened longer ago than events are kept (RETENTION_WEBHOOKS_DAYS). They are dropped. Omitted if there are none. */
  outdated?: number
}
