// Written from the service's contract by `npm run types -w client`; do not edit.

/** A message was created and submitted, or runs of a scenario were started. */
export type AcceptedEvent = {
  /** The event created a message or started runs. */
  accepted: true
  /** The id of the event, as it was sent. */
  eventId: string
  /** Whether the outcome is that of an earlier request. */
  duplicate: boolean
  /** `true` if this event differs from the one recorded under its id: the recorded outcome is returned, and nothing of this one was kept. Send a correction under an id of its own. Omitted if it does not differ. */
  differs?: true
  /** How many of its uids belong to no subject; 0 also once its data is deleted. */
  unknownUids: number
  /** The message. Its detail shows whether it was approved. null: the event started runs. */
  messageId: string | null
  /** How many runs it started: one for each eligible subject who, unless runs are per event, has no open one. Omitted with a message. */
  runs?: number
}

/** How the first contact with a subject came about. Recorded once and never overwritten. */
export type Acquisition = {
  /** How: `chat_embed`, bound in the embedded chat app; `directory`; `import`; or `event:<source>`. Carillon records `chat_follow` itself. */
  source: string
  /** A campaign, QR code or intake period. Omitted: none. */
  ref?: string
}

/** A button, and what a tap does. */
export type Action =
  | UriAction
  | PostbackAction
  | NextNodeAction
  | JumpScenarioAction
  | MuteAction
  | AddToGroupAction

/** Who performed an action. */
export type Actor = {
  /** `person:<id>`: a person with a session; `key:<id>`: a producer key; `event:<source>`: a signed event; `schedule:<id>`: a schedule; `scenario:<id>`: a scenario, which changes tags and groups, and whose Lookups send uids; `recipient:<subject id>`: a recipient; `system:auto`: the automatic check; `system:run`: Carillon, when something is due; `system:mail`: the mail server; `system:avatar`: the conversational assistant; `operator:cli`: an operator on the command line; `operator:temporal`: an operator in the Temporal UI. */
  id: string
  /** For people to read: the current name of the person, key, schedule or scenario, or what else it is, such as the source of an event. */
  name: string
}

/** A button by which the recipient joins a group, if its parent contains them. It counts as an answer. */
export type AddToGroupAction = {
  /** Adds the recipient to a group. */
  kind: 'addToGroup'
  /** What the button says. */
  label: LocalisedText
  /** The id of a static group of the unit. */
  groupId: string
}

/** A node that adds the person to a static group. */
export type AddToGroupNode = {
  /** The id of the node in its scenario: 1 to 64 letters, digits, _ or -. */
  id: string
  /** Adds the person to a group. */
  kind: 'addToGroup'
  /** The id of a static group of the unit. */
  groupId: string
}

/** Nothing more is sent to an address of a person. */
export type AddressSuppressedEvent = {
  /** The type of event. */
  type: 'address.suppressed'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** Whose address, on which channel, and why. */
  data: {
    /** The administrative unit that has the callback. */
    unitId: string
    /** The person, by Carillon's subject id. */
    subjectId: string
    /** The uid of the same person. */
    uid: string
    /** The channel of the address. */
    channel: Channel
    /** What led to it. */
    reason: 'bounce' | 'complaint' | 'refused'
  }
}

/** The remaining quota of the month does not cover this. */
export type AdminSetQuotaQuotaExceededError = {
  /** Identifies the error. Branch on it. */
  code: 'quota_exceeded'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** What is used already. */
  details: {
    /** Committed and reserved pushes together: the lowest possible limit. */
    used: number
  }
}

/** All subjects of the installation, except those in `exclude`. A key needs the dimension `all`. */
export type AllAudience = {
  /** Selects every subject. */
  kind: 'all'
  /** The subjects to leave out of those selected. */
  exclude?: AudienceDimensions
}

/** What the caller may do, so that no client has to copy the rules: by role, state, the restrictions of a key, references, authorship and quota. In the detail of a draft also by its text and the size of its audience. */
export type Allowed = {
  /** Change the draft, leaving category, audience and references as they are. */
  edit: Verdict
  /** Submit the draft. In lists without rendering it or counting its audience. */
  submit: Verdict
  /** Approve it; for a producer key, run the automatic check. */
  approve: Verdict
  /** Reject it, with a reason for the author. */
  reject: Verdict
  /** Cancel it, or its waiting reminder. */
  cancel: Verdict
  /** Pause it, or its reminder. */
  pause: Verdict
  /** Resume it, or its reminder. */
  resume: Verdict
  /** Stop the send, or the reminder, that has begun. */
  stop: Verdict
  /** Retry a parked send, or skip its remaining recipients. */
  retry: Verdict
}

/** A person answered a question of a message. */
export type AnsweredEvent = {
  /** The type of event. */
  type: 'message.answered'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** Who answered what. It replaces an earlier answer to the same question. */
  data: {
    /** The message. */
    messageId: string
    /** The unit of the message and of the callback. */
    unitId: string
    /** The producer's own reference of the message; null: none. */
    reference: string | null
    /** Who answered, by Carillon's subject id. */
    subjectId: string
    /** The uid of the same person. */
    uid: string
    /** The option or button that was tapped: its own id, or its number, counted from 1, such as `2.1`. The same as the key in `answers` of the message. */
    optionId: string
    /** The producer's own data of the postback that was tapped; null for any other button. */
    data: {
      /** The version of this form: always 1. */
      v: 1
      /** The producer's own, such as a scenario. Kept and reported, never obeyed. */
      s?: string
      /** The producer's own, such as a node. Kept and reported, never obeyed. */
      n?: string
      /** The id of the option: the key of the answer in `answers` of the message. Omitted: its number. */
      o?: string
      /** The producer's own, such as a message. Kept and reported, never obeyed. */
      m?: string
      /** The producer's own, such as an action. Kept and reported, never obeyed. */
      a?: string
    } | null
  }
}

/** Subjects whose last answer to a question of a message is this one. */
export type AnsweredHistory = {
  /** Selects those who answered a message. */
  kind: 'answered'
  /** The id of a message of the unit. */
  messageId: string
  /** The option or button that is their last answer, as in `answers` of the message. Omitted: any. */
  optionId?: string
}

/** How many people chose each option of a message so far. */
export type AnswersEvent = {
  /** The type of event. */
  type: 'message.answer_counts'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** The counts, without personal data. */
  data: {
    /** The message. */
    messageId: string
    /** The unit of the message and of the callback. */
    unitId: string
    /** The producer's own reference of the message; null: none. */
    reference: string | null
    /** How many people chose each option or button so far, as in `answers` of the message. */
    answers: Record<string, number>
  }
}

/** One decision about the message. */
export type Approval = {
  /** Who decided: a person, or the automatic check. */
  by: Actor
  /** When, in UTC. */
  at: string
  /** The decision. `not_approved`: the automatic check left the message to a person. */
  outcome: 'approved' | 'rejected' | 'not_approved'
  /** The reason of a rejection, or of the automatic check. Omitted: none. */
  reason?: string
}

/** Whether the message was approved; `approved` tells the two forms apart. With a session it is always true. A failed automatic check is no error: the message stays in review, with a `reason`. */
export type ApprovalOutcome = Approved | LeftInReview

/** The version that was shown to the approver. */
export type ApproveEventBinding = {
  /** The version that was shown: 409 invalid_transition if it is not the one that waits. Omitted: the one that waits. */
  version?: number
}

/** What was shown to the approver. */
export type ApproveMessage = {
  /** The `version` of the detail that was shown: 409 invalid_transition if content or numbers have changed since. Omitted: whatever is current. */
  version?: number
}

/** The version that was shown to the approver. */
export type ApproveScenario = {
  /** The version that was shown: 409 invalid_transition if it is not the one that waits. */
  version: number
}

/** The version that was shown to the approver. */
export type ApproveTemplate = {
  /** The version that was shown: 409 invalid_transition if there is a newer one. Omitted: the newest. */
  version?: number
}

/** The message is approved. */
export type Approved = {
  /** The message is approved, and its quota is reserved. */
  approved: true
}

/** The variable is this number or more. */
export type AtLeastCase = {
  /** The variable is this number or more. */
  kind: 'atLeast'
  /** The variable, or a property of one, such as `order.total`. */
  variable: string
  /** The least number. A text that is a number counts as one. */
  value: number
}

/** The variable is this number or less. */
export type AtMostCase = {
  /** The variable is this number or less. */
  kind: 'atMost'
  /** The variable, or a property of one, such as `order.total`. */
  variable: string
  /** The greatest number. A text that is a number counts as one. */
  value: number
}

/** Whom a message is for: all subjects, those that match a query, or individuals. */
export type Audience = AllAudience | QueryAudience | IndividualAudience

/** The credential may not use this audience dimension; details.dimensions lists which. */
export type AudienceDimensionNotAllowedError = {
  /** Identifies the error. Branch on it. */
  code: 'audience_dimension_not_allowed'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** Which dimensions to remove. */
  details: {
    /** The dimensions of the audience that the key may not use, such as `tags`, or `all`. */
    dimensions: Array<string>
  }
}

/** The subjects to leave out, by at least one dimension. A subject must match every dimension that is given, each by any of its values. An empty list counts as omitted, and repeated values are dropped. Each list has at most 1,000 values, groups 50. */
export type AudienceDimensions = {
  /** May be given, as in an audience. */
  kind?: 'query'
  /** By role in the institution. */
  roles?: Array<SubjectRole>
  /** By how far the relation has come. */
  stages?: Array<Stage>
  /** By organisational unit, as in the profile. Compared exactly. */
  orgUnits?: Array<string>
  /** By class, as in the profile. Compared exactly. */
  classIds?: Array<string>
  /** By the id of a group of the unit, at most 50. Unknown ones match no one. */
  groups?: Array<string>
  /** By tag, such as `interest:music`. Compared exactly. */
  tags?: Array<string>
  /** By what they received or did before. */
  history?: Array<HistoryEntry>
}

/** A group on which the audience depends, as it was at the stored dry-run: named in it, or in the query of a dynamic group. */
export type AudienceGroup = {
  /** The id of the group. */
  id: string
  /** Its name. */
  name: string
  /** Whether its members are listed (`static`) or selected by a query (`dynamic`). */
  kind: 'static' | 'dynamic'
  /** The producer key that keeps the group up to date: its changes do not return the message to review, unless more than a tenth of the recipients change. null: none. */
  keptBy: Actor | null
}

/** Values of a dimension, at most 50, in the order of their names. */
export type AudienceValues = {
  /** The values. */
  items: Array<{
    /** The value, as an audience names it. */
    id: string
    /** What people call it. */
    name: LocalisedText
  }>
}

/** Query parameters, such as those of `GET /v1/audience/values`. */
export type AudienceValuesQuery = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** The dimension; `patterns` are those of `history` with kind `registered`. */
  dimension: 'orgUnits' | 'classIds' | 'tags' | 'groups' | 'patterns'
  /** Only values that contain this text. Omitted: all. */
  q?: string
}

/** Who did what to which object, and when. Entries never change. */
export type AuditEntry = {
  /** The number of the entry. Later entries have higher ones. */
  id: number
  /** When, in UTC. */
  at: string
  /** The unit it concerns; null: the installation rather than a unit. */
  unitId: string | null
  /** Who did it. */
  by: Actor
  /** What was done, such as `create`, `approve`, `bind` or `read`. */
  action: string
  /** The kind of object: `address`, `callback`, `category`, `event`, `event_binding`, `event_key`, `group`, `handoff`, `import`, `media`, `key`, `lookup_endpoint`, `member`, `message`, `pattern`, `person`, `quota`, `retention`, `scenario`, `scenario_run`, `schedule`, `secrets`, `session`, `subject`, `template`, `topic`, `unit`. */
  objectKind: string
  /** The id of the object. */
  objectId: string
  /** The state before; null for objects without one. */
  fromState: string | null
  /** The state afterwards; null for objects without one. */
  toState: string | null
  /** The version of the object afterwards; null for objects without one. */
  version: number | null
  /** The reason that was given, or found; null: none. */
  reason: string | null
  /** What changed, such as names of fields, and counts; never names, addresses or texts of people. */
  details: unknown
}

/** One page of the audit log, newest first. */
export type AuditPage = {
  /** The items of this page. */
  items: Array<AuditEntry>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** Query parameters, such as those of `GET /v1/audit`. */
export type AuditQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** `installation`: the entries that belong to no unit, for system administrators. Default: unit. */
  scope?: 'unit' | 'installation'
  /** Only entries about objects of this kind: `address`, `callback`, `category`, `event`, `event_binding`, `event_key`, `group`, `handoff`, `import`, `media`, `key`, `lookup_endpoint`, `member`, `message`, `pattern`, `person`, `quota`, `retention`, `scenario`, `scenario_run`, `schedule`, `secrets`, `session`, `subject`, `template`, `topic`, `unit`. */
  objectKind?: string
  /** Only entries about the object with this id. */
  objectId?: string
  /** Only what this actor did, such as `person:<id>` or `system:auto`. */
  actor?: string
  /** Only entries from this time on: ISO 8601 with an offset; write + as %2B. */
  from?: string
  /** Only entries before this time: ISO 8601 with an offset; write + as %2B. */
  to?: string
}

/** One event of the conversational assistant. Events of a person are worked off in the order of their receipt. */
export type AvatarEvent = {
  /** Your own id of the event, 1 to 200 characters. A repeated one changes nothing. */
  eventId: string
  /** `requested`: the person asks for a human, which opens a handoff. `message`: a text of the person in it. `closed`: the assistant takes the conversation back. */
  type: 'requested' | 'message' | 'closed'
  /** Your own id of the conversation, 1 to 200 characters. It has one open handoff at a time. */
  conversationId: string
  /** The chat address of the person, 1 to 200 characters. */
  channelUser: string
  /** What the person said, at most 5,000 characters. Omitted: nothing, or no text. */
  text?: string
  /** When it happened. A time in the future is replaced by the time of receipt. */
  occurredAt: string
}

/** The signature does not match the body. It has no details. */
export type BadSignatureError = {
  /** Identifies the error. Branch on it. */
  code: 'bad_signature'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** The address to bind. It replaces the previous one of the channel. */
export type BindAddress = {
  /** An e-mail address, or the chat provider's id of the user, which the subject has proved to own. */
  address: string
  /** How the first contact came about. Used if none is recorded yet. */
  acquisition?: Acquisition
}

/** The subject of the address. */
export type BoundSubject = {
  /** Carillon's id of the subject. It never changes. */
  subjectId: string
}

/** A node that follows the first of its edges whose case holds. */
export type BranchNode = {
  /** The id of the node in its scenario: 1 to 64 letters, digits, _ or -. */
  id: string
  /** Chooses by the variables. */
  kind: 'branch'
}

/** A text with buttons that stay after a tap. */
export type ButtonsMessage = {
  /** A text with buttons. */
  kind: 'buttons'
  /** The text above the buttons. */
  text: LocalisedText
  /** The buttons, 1 to 4. */
  actions: Array<Action>
}

/** An entry for the calendars of the recipients: a button 加入行事曆 (Add to calendar) in the chat and in mails, which have the file attached too. */
export type CalendarEntry = {
  /** When it begins: ISO 8601 with an offset. */
  start: string
  /** When it ends: ISO 8601 with an offset, after `start`. Omitted: an hour later. */
  end?: string
  /** What it is, at most 200 characters. Omitted: the title of the message or pattern. */
  title?: {
    /** Traditional Chinese as written in Taiwan. Always present. */
    'zh-TW': string
    /** English. Omitted or empty: readers of English get the Chinese text. */
    en?: string
  }
  /** Where it is, at most 200 characters. Omitted: nowhere. */
  location?: {
    /** Traditional Chinese as written in Taiwan. Always present. */
    'zh-TW': string
    /** English. Omitted or empty: readers of English get the Chinese text. */
    en?: string
  }
}

/** Where Carillon sends events of a unit, and how well that works. */
export type Callback = {
  /** The id of the callback. */
  id: string
  /** The unit whose messages it is about. */
  unitId: string
  /** Where requests are sent. */
  url: string
  /** What it is for; may be empty. */
  description: string
  /** The types of event that are sent to it. */
  types: Array<CallbackType>
  /** `failing`: a delivery was exhausted, and none has succeeded since. `disabled`: nothing is sent. */
  state: 'active' | 'failing' | 'disabled'
  /** `gone`: the endpoint answered 410. `by_caller`: a caller disabled it. null: it is not disabled. */
  disabledReason: 'gone' | 'by_caller' | null
  /** The first failed attempt since the last success, in UTC; null: there is none. */
  failingSince: string | null
  /** Exhausted deliveries since the last success. */
  exhaustedDeliveries: number
  /** The last success, in UTC; null: none yet. */
  lastDeliveredAt: string | null
  /** Until then, in UTC, requests are also signed with the previous secret; null: they are not. */
  oldSecretExpiresAt: string | null
  /** When it was registered, in UTC. */
  createdAt: string
}

/** One event for the callback, with the last attempt to deliver it. */
export type CallbackDelivery = {
  /** The id of the delivery: the `webhook-id` header of its requests. */
  id: string
  /** The type of event. */
  type: CallbackType
  /** The message that it is about; null: it is about something else. */
  messageId: string | null
  /** The run of a scenario that it is about; null: it is about something else. */
  runId: string | null
  /** The handoff, import or subject that it is about. Omitted: it is about a message or a run. */
  objectId?: string
  /** The state of the message when the event happened; null: it is about something else. */
  messageState: MessageState | null
  /** `pending`: it will be tried, again or for the first time. `failed`: it will not be tried again. */
  state: 'pending' | 'delivered' | 'failed'
  /** How often it was tried. */
  tries: number
  /** The HTTP status of the response; null if there was none. */
  httpStatus: number | null
  /** Why the attempt failed; null if it succeeded or has not been made: `http_error`, `redirect`, `timeout`, `no_connection`, `address_refused`, `secret_unreadable`, `individual_targeting_disabled`, `internal` and others. */
  reason: string | null
  /** When the event happened, in UTC. */
  at: string
  /** When it was last tried, in UTC; null: not yet. */
  lastTryAt: string | null
  /** When it is tried next, in UTC; null: not again. */
  nextTryAt: string | null
}

/** One page of a callback's deliveries, newest first. */
export type CallbackDeliveryPage = {
  /** The items of this page. */
  items: Array<CallbackDelivery>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** Query parameters, such as those of `GET /v1/callbacks`. */
export type CallbackListQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
}

/** One page of a unit's callbacks, newest first. */
export type CallbackPage = {
  /** The items of this page. */
  items: Array<Callback>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** A kind of event. `message.state_changed`: a new state. `message.closed`: nothing will change any more. `message.answered`: one answer of one subject. `message.answer_counts`: the counts of its answers. `run.answered`: one answer in a run of a scenario. `run.ended`: the end of a run, with its reason. `delivery.failed`: deliveries of a message that failed, many at a time. `registration.changed`: where a person stands in a pattern. `handoff.opened`, `handoff.closed`, `import.closed`. `address.suppressed`: nothing more is sent to an address; `preference.changed`: what a person has switched; both for administrative units, and the second for the topics of others. */
export type CallbackType =
  | 'message.state_changed'
  | 'message.closed'
  | 'message.answered'
  | 'message.answer_counts'
  | 'run.answered'
  | 'run.ended'
  | 'delivery.failed'
  | 'registration.changed'
  | 'handoff.opened'
  | 'handoff.closed'
  | 'import.closed'
  | 'address.suppressed'
  | 'preference.changed'

/** Which open runs end; without fields all of them. */
export type CancelRuns = {
  /** Only runs of this version. Omitted: of all. */
  version?: number
  /** Only runs that are at this node. Omitted: at any. */
  node?: string
}

/** The run is over. */
export type CancelledRun = {
  /** The id of the run. */
  id: string
  /** Always cancelled. */
  state: 'cancelled'
}

/** How many runs ended. */
export type CancelledRuns = {
  /** How many runs were open and have ended. */
  cancelled: number
}

/** One block of a message, for every channel: a text, image, sticker, card, carousel, buttons or quick reply. */
export type CanonicalMessage =
  | TextMessage
  | ImageMessage
  | StickerMessage
  | CardMessage
  | CarouselMessage
  | ButtonsMessage
  | QuickReplyMessage

/** A card with a title, and optionally image, text and buttons. */
export type CardMessage = {
  /** A card. */
  kind: 'card'
  /** A short line above the title. */
  header?: LocalisedText
  /** The title. */
  title: LocalisedText
  /** The text below the title. */
  body?: LocalisedText
  /** How `body` is written. Omitted: plain. */
  format?: TextFormat
  /** The address of the image at the top, https for the chat. */
  imageUrl?: string
  /** The buttons, at most 3; may be empty. */
  actions: Array<Action>
  /** Why the card is locked: shown on it with a lock. The buttons stay. */
  lockedReason?: LocalisedText
}

/** Cards side by side in the chat, one below another in mail. */
export type CarouselMessage = {
  /** Cards side by side. */
  kind: 'carousel'
  /** The cards in order, 1 to 10. */
  cards: Array<CardMessage>
}

/** A category of messages, for all units, and the rules for its messages. */
export type Category = {
  /** The id, as messages, templates and bindings name it. It never changes. */
  id: string
  /** Its name, as recipients see it. */
  name: LocalisedText
  /** `mandatory` ignores preferences, topics, quiet hours and the frequency cap, never consent or a block. `service` and `promotional` obey all of them. */
  layer: 'mandatory' | 'service' | 'promotional'
  /** The scope of the consent that subjects must have given; null: none is required. */
  consentScope: string | null
  /** On which channels its messages are sent. */
  channelPlan: ChannelPlan
  /** `auto`: the automatic check may approve its messages. `manual`: a person must. */
  approval_rule: 'manual' | 'auto'
  /** The largest audience that the automatic check may approve, in subjects. */
  autoMaxRecipients: number
  /** Hours in which no send starts; one that is due waits until they end. null: none. */
  quietHours: {
    /** When they begin, as hh:mm in the time zone of the unit. */
    from: string
    /** When they end, as hh:mm; before `from`: on the next day. */
    to: string
  } | null
  /** How often a subject may get messages of the category; null: no limit. */
  frequencyCap: {
    /** The most messages of the category to one subject. */
    messages: number
    /** In this many days. */
    days: number
  } | null
  /** What happens to mail whose outcome is unknown: `keep` it as unknown, or `repeat` it once. */
  onUnknown: 'keep' | 'repeat'
  /** What the chat answers a tap on a button or option of its messages, where `{label}` is the label that was tapped. null: nothing. */
  acknowledgement: LocalisedText | null
  /** How long, in seconds, a message waits after a person has approved it; 0: not at all. */
  holdSeconds: number
  /** Where the buttons of its messages that open a web page lead: `direct`: straight to their URL; `tracked`: through the hub, which counts clicks. */
  links: 'direct' | 'tracked'
  /** Whether its messages can be created and submitted. */
  enabled: boolean
}

/** The credential may not use this category. It has no details. */
export type CategoryNotAllowedError = {
  /** Identifies the error. Branch on it. */
  code: 'category_not_allowed'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** One page of categories. */
export type CategoryPage = {
  /** The items of this page. */
  items: Array<Category>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** Members to add, to remove, or both; no uid in both lists. Members who are there already are no error. */
export type ChangeMembers = {
  /** Uids of subjects to add, at most 100,000. */
  add?: Array<string>
  /** Uids of subjects to remove, at most 100,000. */
  remove?: Array<string>
}

/** The body that GET returns, or any part of it. */
export type ChangePreferences = {
  /** The language of messages to the recipient. Omitted: unchanged. */
  language?: Locale
  /** Categories to change, by id. A mandatory one cannot be turned off. Others are unchanged. */
  categories?: Record<
    string,
    {
      /** Whether to receive it in the chat. Omitted: unchanged. */
      chat?: boolean
      /** Whether to receive it by mail. Omitted: unchanged. */
      email?: boolean
      /** Ignored, so that the body of GET is accepted. */
      mandatory?: boolean
      /** Ignored, so that the body of GET is accepted. */
      needsConsent?: boolean
    }
  >
  /** Topics to change, by id; false unsubscribes. Others are unchanged. */
  topics?: Record<string, boolean>
  /** Ignored, so that the body of GET is accepted. */
  names?: unknown
}

/** At least one role to grant or to remove, and no role in both lists. */
export type ChangeRoles = {
  /** The id of the person. */
  personId: string
  /** Roles to grant. Omitted: none. */
  add?: Array<UnitRole>
  /** Roles to remove. Who has none left is no longer a member. Omitted: none. */
  remove?: Array<UnitRole>
}

/** A channel on which a subject can be reached. */
export type Channel = 'chat' | 'email'

/** On which channels a message is sent to each subject. */
export type ChannelPlan = {
  /** `first_available`: one delivery, on the first channel on which the subject can be reached. `all`: one on each of them. */
  mode: 'first_available' | 'all'
  /** The channels, in order of preference. */
  channels: Array<Channel>
}

/** Narrows the category's plan: fewer channels, or `first_available` in place of `all`. Widening it is rejected. */
export type ChannelPlanOverride = {
  /** Some of the category's channels. Omitted: all of them. */
  channels?: Array<Channel>
  /** `first_available`, even if the category's plan is `all`. Omitted: the category's mode. */
  mode?: 'first_available' | 'all'
}

/** One event of the chat provider. Fields that Carillon does not read are stored. */
export type ChatEvent = {
  /** `follow`, `unfollow`, `postback` or `message`; any other type is stored without effect. */
  type: string
  /** The id of the event, by which a redelivered one is recognised. */
  webhookEventId?: string
  /** When it happened, in milliseconds since 1970. A negative or future value is replaced by the time of receipt. */
  timestamp?: number
  /** Whom the event is about. */
  source?: {
    /** `user`; events of groups and rooms are stored without effect. */
    type: string
    /** The provider's id of the user: the chat address. */
    userId?: string
  }
  /** The button that was tapped, of type `postback`. */
  postback?: {
    /** What Carillon wrote into the button. */
    data?: string
  }
  /** What the person sent, of type `message`: `{type: "text", text}`; anything else answers no question. */
  message?: unknown
}

/** What a recipient sees in the chat. */
export type ChatPreview = {
  /** The chat. */
  channel: 'chat'
  /** The language of the preview. */
  locale: Locale
  /** The blocks, with template variables filled in, in both languages. */
  messages: Array<CanonicalMessage>
  /** What this channel cannot carry. */
  violations: Array<Violation>
  /** The provider's message objects, grouped by the call that sends them. Each call costs a push for each recipient. */
  calls: Array<Array<Record<string, unknown>>>
  /** What the reminder shows: the same content without the offer to decline it. Omitted without `remindAt`. */
  reminder?: {
    /** The provider's message objects, grouped by the call that sends them. Each call costs a push for each recipient. */
    calls: Array<Array<Record<string, unknown>>>
  }
}

/** The name and picture above a unit's messages in the chat, instead of the account's. */
export type ChatSender = {
  /** The name above its messages. */
  name: LocalisedText
  /** The picture beside them. null: the account's. */
  iconUrl: string | null
}

/** The name and picture above a unit's messages in the chat, instead of the account's. */
export type ChatSenderChange = {
  /** The name above its messages, at most 20 characters. */
  name: {
    /** Traditional Chinese as written in Taiwan. */
    'zh-TW': string
    /** English. Omitted or empty: readers of English get the Chinese name. */
    en?: string
  }
  /** A square PNG of at most 1 MB, at an https URL with a public address of at most 2,000 characters, which the chat app loads. null, the default: the account's picture. */
  iconUrl?: string | null
}

/** A request of the chat provider. One without events only verifies the URL. */
export type ChatWebhook = {
  /** The provider's id of the account. */
  destination?: string
  /** The events, at most 1,000; may be empty. Each is parsed separately, and an invalid one is stored as `unreadable`. */
  events: Array<ChatEvent | unknown>
}

/** A message can no longer change. Its counts are final. */
export type ClosedEvent = {
  /** The type of event. */
  type: 'message.closed'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** How it ended. */
  data: {
    /** The message. */
    messageId: string
    /** The unit of the message and of the callback. */
    unitId: string
    /** The producer's own reference of the message; null: none. */
    reference: string | null
    /** The final state. */
    state: MessageState
    /** The version of the message. It increases with every change, and orders the events of one message. */
    version: number
    /** The final counts of the send; null if none was prepared. */
    stats: MessageStats | null
    /** The outcome of the reminder. Omitted if the message had none. */
    reminder?: {
      /** How the reminder ended. */
      state: 'waiting' | 'sending' | 'paused' | 'sent' | 'cancelled' | 'stopped' | 'expired' | 'missed'
      /** Its final counts; null if it was not prepared. */
      stats: MessageStats | null
    }
  }
}

/** The handoff is closed. */
export type ClosedHandoff = {
  /** The id of the handoff. */
  id: string
  /** Always closed. */
  state: 'closed'
}

/** The latest consent of a subject for one scope. */
export type Consent = {
  /** What the subject consents to, such as `admission`: the `consentScope` of categories. */
  scope: string
  /** The version of the text that they agreed to. */
  version: string
  /** Where they gave it, such as a form, desk or page. */
  source: string
  /** When it was recorded, in UTC. */
  grantedAt: string
  /** When it was withdrawn, in UTC; null while it is active. */
  withdrawnAt: string | null
}

/** The content must be changed, or a channel cannot carry it; details.violations lists what and where. */
export type ContentViolationError = {
  /** Identifies the error. Branch on it. */
  code: 'content_violation'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** What is wrong with the content, and where. */
  details: {
    /** What must be changed, as in the dry-run. */
    violations: Array<Violation>
    /** Where a message has no recipients: how many uids of its audience belong to no subject. */
    unknownUids?: number
  }
}

/** What is wrong at a content_violation. */
export type ContentViolations = {
  /** What no channel can carry once the variables are filled in, with a `path` into the template; or `data`, which is too large for the variables of the scenario. */
  violations: Array<Violation>
}

/** Where to send which events of the unit. */
export type CreateCallback = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** An https URL with a public address. Redirects are not followed. */
  url: string
  /** What it is for, at most 200 characters. Default: empty. */
  description?: string
  /** The types of event to send. Omitted: those about messages and runs. `message.state_changed`; `message.closed`, with the final counts; `message.answered`, which names people; `message.answer_counts`, counts only; `run.answered`, which names people; `run.ended`; and others, which are sent only to callbacks that name them. The section webhooks of this document describes the requests. */
  types?: Array<CallbackType>
}

/** A new category, for all units. */
export type CreateCategory = {
  /** The id that producers use, at most 64 characters: letters and digits, separated by -, _ or . It never changes. */
  id: string
  /** Its name, as recipients see it. */
  name: LocalisedName
  /** `mandatory` ignores preferences, topics, quiet hours and the frequency cap, never consent or a block. `service` and `promotional` obey all of them. */
  layer: 'mandatory' | 'service' | 'promotional'
  /** The scope of the consent that subjects must have given. null: none is required. Default: null. */
  consentScope?: string | null
  /** On which channels its messages are sent. */
  channelPlan: {
    /** `first_available`: one delivery, on the first channel on which the subject can be reached. `all`: one on each. */
    mode: 'first_available' | 'all'
    /** The channels, in order of preference, each once. */
    channels: Array<Channel>
  }
  /** `auto`: the automatic check may approve its messages. `manual`: a person must. Default: `manual`. */
  approval_rule?: 'manual' | 'auto'
  /** The largest audience that the automatic check may approve, in subjects; at least 1 if approval_rule is auto. Default: 0. */
  autoMaxRecipients?: number
  /** Hours in which no send starts; one that is due waits until they end. null: none. Default: null. */
  quietHours?: {
    /** When they begin, as hh:mm in the time zone of the unit. */
    from: string
    /** When they end, as hh:mm; before `from`: on the next day. */
    to: string
  } | null
  /** How often a subject may get messages of the category. null: no limit. Default: null. */
  frequencyCap?: {
    /** The most messages of the category to one subject. */
    messages: number
    /** In this many days. */
    days: number
  } | null
  /** What happens to mail whose outcome is unknown: `keep` it as unknown, or `repeat` it once. Default: `keep`. */
  onUnknown?: 'keep' | 'repeat'
  /** What the chat answers a tap on a button or option of its messages, where `{label}` is the label that was tapped. null: nothing. Default: `已收到：{label}` and `Got it: {label}`. */
  acknowledgement?: LocalisedName | null
  /** How long, in seconds, a message waits after a person has approved it, so that they can cancel it: 0 to 600. Not after the automatic check, and not if the message expires before. Default: 0. */
  holdSeconds?: number
  /** Where the buttons of its messages that open a web page lead: `direct`: straight to their URL; `tracked`: through the hub, which counts clicks. Default: `direct`. */
  links?: 'direct' | 'tracked'
  /** Whether its messages can be created and submitted. Default: true. */
  enabled?: boolean
}

/** How events of one source and type become messages of the unit, or start runs of its scenario. */
export type CreateEventBinding = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** The system whose events it applies to: 1 to 100 characters without spaces, slashes or control characters. */
  source: string
  /** The type of event it applies to: 1 to 200 characters. */
  type: string
  /** The id of the category of the messages, from GET /v1/categories. */
  categoryId: string
  /** The id of a template of the unit. null: none; without a scenarioId either, events are recorded with the error no_template. Default: null. */
  templateId?: string | null
  /** The recipients of the messages or runs. With a scenarioId: event_subjects. */
  audience: EventAudience
  /** The id of a scenario of the unit, in place of a template: events start runs of it. It must not be retired, and its category is the categoryId. null: events create messages. Default: null. */
  scenarioId?: string | null
  /** `subject`: a person with an open run of the scenario keeps it, and gets no other. `event`: each event starts a run of its own. Only with a scenarioId; null: `subject`. Default: null. */
  runPer?: 'subject' | 'event' | null
  /** The ids of the only signing keys that this binding accepts; null: all. Events signed with others get the error no_binding. Default: null. */
  keyIds?: Array<string> | null
  /** Whether events create messages or start runs. At most one binding of each (source, type) can be enabled in the whole installation. Default: true. */
  enabled?: boolean
}

/** A new signing key of events. */
export type CreateEventKey = {
  /** The unit whose bindings its events trigger. */
  unitId: string
  /** What it is for, such as the name of a system: 1 to 200 characters. */
  name: string
  /** The only sources whose events it may sign, 1 to 50. */
  sources: Array<string>
}

/** A new group. A static one requires legalBasis and has no query; a dynamic one requires query and has no parent. */
export type CreateGroup = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** Its name, 1 to 200 characters. */
  name: string
  /** `static`: its members are listed. `dynamic`: they are the subjects that match its query at any moment. */
  kind: 'static' | 'dynamic'
  /** The legal basis for keeping the list, one of the six of GDPR art. 6 (1). A static group requires one. */
  legalBasis?: LegalBasis
  /** The id of a static group of the unit that must contain all members of this group; null: none. */
  parentId?: string | null
  /** The query that selects its members. Only for dynamic groups, which require it. */
  query?: GroupQuery
  /** The id of the producer key that keeps the group up to date: its changes alone return no approved message to review, unless more than a tenth of the recipients change. Approvers see it. null: none. */
  keptByKeyId?: string | null
}

/** A new producer key and its rights, which cannot change later. */
export type CreateKey = {
  /** The id of the unit that it acts for. */
  unitId: string
  /** What it is for, such as the name of a system: 1 to 200 characters. */
  name: string
  /** The ids of the only categories it may use, 1 to 200. null, the default: all. */
  categories?: Array<string> | null
  /** The only dimensions of an audience it may use, `all` for audiences of that kind. null, the default: every one. */
  dimensions?: Array<
    'all' | 'stages' | 'roles' | 'orgUnits' | 'classIds' | 'groups' | 'tags' | 'history'
  > | null
  /** Whether it may use individual audiences, and small audiences of the unit's own lists, and receive who answered. Default: false. */
  individualTargeting?: boolean
  /** Whether it may create groups, and change them and their members. Default: false. */
  groupWriting?: boolean
  /** Whether it may reply to people in handoffs, without anybody approving its words. Default: false. */
  handoffReply?: boolean
}

/** An endpoint to register. */
export type CreateLookupEndpoint = {
  /** Scheme, host and port that Lookups may call: https at a public address, or what the operator allows in OUTBOUND_ALLOW. `*` in place of the port allows every port. */
  origin: string
  /** The id of the unit whose scenarios may call it. null, the default: those of every unit. */
  unitId?: string | null
  /** The id of the signing key, one of EVENT_SIGNING_KEYS, that signs the calls. null, the default: the first one. */
  keyId?: string | null
  /** Whether Lookups by POST send `uid` beside `subject`: only to a system that knows people by it. Each is in the audit log. Default: false. */
  sendUid?: boolean
}

/** A new message intent: exactly one of templateId (with variables) or messages is given. */
export type CreateMessage = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** The id of an enabled category, from GET /v1/categories. It decides consent, channels, quiet hours and approval. */
  categoryId: string
  /** The id of a template of the unit. Exactly one of templateId and messages is given. */
  templateId?: string
  /** Values of the template's variables, by name. Only with templateId. Required ones must be there by the dry-run. */
  variables?: Record<string, unknown>
  /** The content, block by block, 1 to 1,000. Exactly one of messages and templateId is given. At most 100,000 characters in all texts together. */
  messages?: Array<CanonicalMessage>
  /** The subject of its mail, beside messages; also the title of the message. Omitted: the first title or text of the content. A template has its own. */
  subject?: LocalisedText
  /** An entry that recipients can add to their calendars. It is one more message among those of a call. Omitted: none. */
  calendar?: CalendarEntry
  /** The recipients. Counted again at each dry-run, at submit and at the time of the send; an approval covers the people counted at submit. */
  audience: Audience
  /** Your own reference, 1 to 255 characters, such as the id of a case in your system: shown with the message, also to callers who may not see its text, sent to callbacks, and a filter of the list. It need not be unique, and must not name a person. Omitted: none. */
  reference?: string
  /** When to send: ISO 8601 with an offset. Omitted or in the past: at approval. */
  scheduleAt?: string
  /** From this time on nothing is sent: ISO 8601 with an offset, in the future and after scheduleAt. Omitted: never. */
  expiresAt?: string
  /** The id of an active topic of the unit: subjects who have unsubscribed from it are skipped. Not with a mandatory category. Omitted: none. */
  topicId?: string
  /** When to send the content again, to recipients of the first send who have not declined it: ISO 8601 with an offset, after the send time and before expiresAt. Omitted: no reminder. */
  remindAt?: string
  /** Whom to remind: `all` recipients of the first send, or only those who have not answered any of its questions by then (`unanswered`). Requires remindAt. Default: all. */
  remindTo?: 'all' | 'unanswered'
  /** How fast it is sent; the dry-run says when the last recipient is sent to. Omitted: as fast as the channels take it. */
  pace?: Pace
  /** Narrows the category's channel plan for this message. Omitted: the plan as it is. */
  channelPlanOverride?: ChannelPlanOverride
  /** The text of a personal message is shown only to its authors and to approvers. Omitted: personal for an individual audience, otherwise broadcast. Submit makes a message to a very small audience personal. */
  kind?: 'broadcast' | 'personal'
}

/** A registration, a survey, or a question whether people come. */
export type CreatePattern = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** `registration`: takes people up to a capacity. `survey`: asks questions. `rsvp`: asks whether people attend; a yes is a registration. */
  type: 'registration' | 'survey' | 'rsvp'
  /** The name of the scenario, for people of the unit: 1 to 200 characters. */
  name: string
  /** The id of the category of its messages, from GET /v1/categories. */
  categoryId: string
  /** What it is about, as people read it. */
  title: {
    /** Traditional Chinese as written in Taiwan, 1 to 100 characters. */
    'zh-TW': string
    /** English. Omitted or empty: readers of English get the Chinese text. */
    en?: string
  }
  /** What people read below the title. Omitted: nothing. */
  description?: {
    /** Traditional Chinese as written in Taiwan, 1 to 1,000 characters. */
    'zh-TW': string
    /** English. Omitted or empty: readers of English get the Chinese text. */
    en?: string
  }
  /** Until when people may answer, change their answer and withdraw: later than now. Each question waits a year at most. */
  deadline: string
  /** The number of places, 1 to 100,000. Omitted: unlimited. A survey has none. */
  capacity?: number
  /** Whether people may wait for a place when all are taken. Omitted: they may not. */
  waitingList?: boolean
  /** What is asked, in this order, at most 20. A survey needs one. Of an rsvp the first decides: its option `yes` is the registration. Omitted: an rsvp asks yes or no, a registration nothing else. */
  questions?: Array<PatternQuestion>
  /** An entry that people with a place can add to their calendars, without variables; it is cancelled there when they give the place up. A survey has none. Omitted: none. */
  calendar?: CalendarEntry
  /** The text sent to people whose runs end because the scenario is retired, without variables. Omitted: none. */
  farewell?: {
    /** Traditional Chinese as written in Taiwan, 1 to 1,000 characters. */
    'zh-TW': string
    /** English. Omitted or empty: readers of English get the Chinese text. */
    en?: string
  }
}

/** A person who can sign in. Roles are granted in each unit. */
export type CreatePerson = {
  /** Their e-mail address, as the identity provider knows it. Unique. */
  email: string
  /** Their name: 1 to 200 characters. */
  name: string
  /** Whether they are a system administrator. Default: false. */
  systemAdmin?: boolean
  /** The language of the console and of mails to this person. Default: `zh-TW`. */
  language?: Locale
  /** Whether they receive approval requests by mail. Default: true. */
  notices?: boolean
  /** Mails about messages that they wrote, edited or submitted: `rejected` (with the reason), `approved` (by a person), `parked` (for ten minutes), and `failed` (the send reached no one, or fewer than half of at least 20 people). Default: all. */
  authorNotices?: Array<'rejected' | 'approved' | 'parked' | 'failed'>
  /** Whether they receive mails about handoffs opened in their units. Default: true. */
  handoffNotices?: boolean
  /** The uid of the subject who is the same person, for test messages in the chat. null: none. Default: null. */
  subjectUid?: string | null
}

/** A new scenario, with its first version. */
export type CreateScenario = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** Its name, for people of the unit: 1 to 200 characters. */
  name: string
  /** The id of the category of its messages, from GET /v1/categories. */
  categoryId: string
  /** Its purpose, for approvers. */
  description?: string
  /** Triggers that start it. Omitted: none. Each can belong to one scenario of the installation. */
  triggers?: ScenarioTriggers
  /** How long a turn may be delayed by a provider or by quota before it is skipped; pauses and quiet hours do not count. Default: 86,400, a day. */
  lateSeconds?: number
  /** The text sent to people whose runs end because the scenario is retired, without variables. Omitted: none. */
  farewell?: LocalisedText
  /** The steps, 1 to 200. The first is the start. At most 100,000 characters in all texts together. */
  nodes: Array<ScenarioNode>
  /** The ways between them, at most 400. They form no circle. */
  edges: Array<ScenarioEdge>
  /** The variables of a start, at most 200. Lookups and answers may bring others, which need not be declared. */
  variables?: Array<GivenVariable>
}

/** A new schedule: what it makes, and when. The time fields are those of its type. */
export type CreateSchedule = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** A name for people: 1 to 200 characters. It must not name a person. */
  name: string
  /** `once`: at an instant; `delay`: so long after it was created or enabled; `recurring`: by a cron expression. */
  type: 'once' | 'delay' | 'recurring'
  /** When it fires, ISO 8601 with an offset, in the future. Only of a schedule that fires once. */
  at?: string
  /** After how many seconds it fires, 1 to 31,622,400. Only of a delay. */
  delaySeconds?: number
  /** When it fires: five fields, minute, hour, day of the month, month and day of the week, with `*`, lists, ranges, steps and names. Two occurrences are at least 5 minutes apart, also around midnight. Where both days are given, either suffices. Only of a recurring schedule. */
  cron?: string
  /** The IANA zone by whose clocks it recurs. A time that comes twice counts the first time; one that is skipped counts at the end of the gap, all of one gap once. Only of a recurring schedule. Default: the zone of the unit. */
  timeZone?: string
  /** The message that each occurrence makes and submits. Exactly one of message and scenario is given. */
  message?: ScheduledMessage
  /** The runs that each occurrence starts. Exactly one of message and scenario is given. */
  scenario?: ScheduledScenario
  /** Whether it fires at its times. Default: true. */
  enabled?: boolean
}

/** A new template. Every variable that its texts use must be listed. */
export type CreateTemplate = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** Its name, for people of the unit: 1 to 200 characters. */
  name: string
  /** The id of the category of its messages, from GET /v1/categories. */
  categoryId: string
  /** The content, block by block, 1 to 1,000. Texts are Liquid templates over the listed variables. At most 100,000 characters in all texts together. */
  messages: Array<TemplateMessage>
  /** The subject of the mail, a Liquid template as well. Omitted: the first title or text of the content. */
  subject?: LocalisedText
  /** The variables that the texts use, at most 200. Omitted: none. */
  variables?: Array<GivenVariable>
}

/** The whole content of a new version. It replaces the one in force once it is approved. */
export type CreateTemplateVersion = {
  /** The content, block by block, 1 to 1,000. Texts are Liquid templates over the listed variables. At most 100,000 characters in all texts together. */
  messages: Array<TemplateMessage>
  /** The subject of the mail, a Liquid template as well. Omitted: the first title or text of the content. */
  subject?: LocalisedText
  /** The variables that the texts use, at most 200. Omitted: none. */
  variables?: Array<GivenVariable>
}

/** A new topic. */
export type CreateTopic = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** Its name, as recipients see it. */
  name: TopicName
  /** `active` by default. Messages of an inactive topic cannot be created. */
  status?: 'active' | 'inactive'
}

/** A new unit. */
export type CreateUnit = {
  /** Its name, 1 to 200 characters. Unique. */
  name: string
  /** Keys of an `administrative` unit may use the Identity API. Default: ordinary. */
  kind?: 'ordinary' | 'administrative'
  /** The IANA time zone of its quiet hours. Default: Asia/Taipei. */
  timeZone?: string
  /** Its name as recipients read it in mails and on pages, and the sender of its mails. Unique. null: `name`, and the installation's sender. */
  displayName?: LocalisedName | null
  /** Where answers to its mails go. null: to the installation's address, from which all mails are sent. */
  replyTo?: string | null
  /** How it appears in the chat. null: as the account does. */
  sender?: ChatSenderChange | null
}

/** A new callback with its secret. */
export type CreatedCallback = {
  /** The id of the callback. */
  id: string
  /** The unit whose messages it is about. */
  unitId: string
  /** Where requests are sent. */
  url: string
  /** What it is for; may be empty. */
  description: string
  /** The types of event that are sent to it. */
  types: Array<CallbackType>
  /** `failing`: a delivery was exhausted, and none has succeeded since. `disabled`: nothing is sent. */
  state: 'active' | 'failing' | 'disabled'
  /** `gone`: the endpoint answered 410. `by_caller`: a caller disabled it. null: it is not disabled. */
  disabledReason: 'gone' | 'by_caller' | null
  /** The first failed attempt since the last success, in UTC; null: there is none. */
  failingSince: string | null
  /** Exhausted deliveries since the last success. */
  exhaustedDeliveries: number
  /** The last success, in UTC; null: none yet. */
  lastDeliveredAt: string | null
  /** Until then, in UTC, requests are also signed with the previous secret; null: they are not. */
  oldSecretExpiresAt: string | null
  /** When it was registered, in UTC. */
  createdAt: string
  /** `whsec_…`, for the verification of requests. Returned only in this response: store it safely. */
  secret: string
}

/** The message that the request, or an earlier one with its key, created. */
export type CreatedMessage = {
  /** The id of the message. */
  id: string
  /** `draft` for a new message; for a known Idempotency-Key the current state. */
  state: MessageState
  /** Whether this request created the message; false if its Idempotency-Key was used before. */
  created: boolean
}

/** The new pattern and its scenario. */
export type CreatedPattern = {
  /** The id of the pattern: the `patternInstanceId` of audiences. */
  id: string
  /** The scenario that was generated, a draft. PUT /v1/scenarios/{id} activates it. */
  scenarioId: string
}

/** The graph of the scenario has problems; details.problems lists all of them, and where. */
export type DagInvalidError = {
  /** Identifies the error. Branch on it. */
  code: 'dag_invalid'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** What is wrong with the graph, and where. */
  details: {
    /** Everything that is wrong with the graph. */
    problems: Array<GraphProblem>
  }
}

/** An approver's decision about one version. */
export type Decision = {
  /** The approver. */
  by: Actor
  /** When they decided, in UTC. */
  at: string
  /** Why it was rejected. Omitted for an approval. */
  reason?: string
}

/** What the caller may decide now: by role, state, authorship, quota, and what else has the same events or triggers. */
export type Decisions = {
  /** Approve this version. */
  approve: Verdict
  /** Reject this version, with a reason for its author. */
  reject: Verdict
}

/** The callback is deleted, with its pending deliveries. */
export type DeletedCallback = {
  /** Always true. */
  deleted: true
}

/** The binding is deleted. Its events get the error no_binding from now on. */
export type DeletedEventBinding = {
  /** Always true. */
  deleted: true
}

/** The endpoint is deleted. */
export type DeletedLookupEndpoint = {
  /** Always true. */
  deleted: true
}

/** The schedule is deleted: it is not due again. */
export type DeletedSchedule = {
  /** Always true. */
  deleted: true
}

/** Deliveries of a message failed. People who were skipped are not among them. */
export type DeliveryFailedEvent = {
  /** The type of event. */
  type: 'delivery.failed'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** Who did not get it on which channel. Another channel may have reached them. */
  data: {
    /** The message. */
    messageId: string
    /** The unit of the message and of the callback. */
    unitId: string
    /** The producer's own reference of the message; null: none. */
    reference: string | null
    /** The deliveries, fewer than 1,000. */
    failures: Array<{
      /** The person, by Carillon's subject id; null: erased meanwhile. */
      subjectId: string | null
      /** The uid of the same person; null: erased meanwhile. */
      uid: string | null
      /** On which channel. */
      channel: Channel
      /** Why, as in the deliveries of the message. */
      reason: string | null
    }>
  }
}

/** What changed between the dry-run that was approved and the stored one. Numbers only, never individuals. */
export type Drift = {
  /** audience: the recipients or the groups changed. limit: more recipients than the automatic check may approve. quota: the quota is short. no_recipients: it had no recipients when it was approved, and still has none. */
  reason: 'audience' | 'limit' | 'quota' | 'no_recipients'
  /** When the dry-run that was approved was made, in UTC. */
  since: string
  /** How many subjects receive it. */
  recipients: {
    /** In the dry-run that was approved. */
    approved: number
    /** In the stored dry-run. */
    current: number
  }
  /** Recipients added and missing, by channel. A new address of the same subject counts as both. */
  byChannel: Partial<
    Record<
      Channel,
      {
        /** Recipients who were not in the approved dry-run. */
        added: number
        /** Recipients who were in it and are no longer in the audience. */
        removed: number
      }
    >
  >
  /** Whether `byChannel` is exact. An estimate is within about 3 % of the recipients. */
  exact: boolean
  /** Groups of the audience that were changed: once for each actor and kind of change. */
  groups: Array<{
    /** The id of the group. */
    id: string
    /** Its name. */
    name: string
    /** What was changed: the members, or the query. */
    change: 'members' | 'query'
    /** Who changed it. */
    by: Actor
    /** When they first did so after the approved dry-run, in UTC. */
    at: string
  }>
}

/** A forecast of the send in numbers only, never individuals. */
export type DryRun = {
  /** How many it reaches, and how many not, by reason. */
  recipients: Recipients
  /** What it costs, by channel of the plan. */
  quota: Partial<Record<Channel, QuotaForecast>>
  /** The reminder. Omitted: none, or its time has passed. */
  reminder?: {
    /** When it is sent, in UTC. */
    at: string
    /** Its recipients. */
    to: 'all' | 'unanswered'
    /** Its maximum cost by channel, in addition to that of the send: recipients who will decline it, or answer where only the others are reminded, are not known yet. */
    pushes: Partial<Record<Channel, number>>
  }
  /** What the pace of the message makes of the send. Omitted: it has none. */
  pace?: {
    /** Deliveries a minute, rounded up. */
    perMinute: number
    /** When the last recipient is sent to, if the send begins on time, in UTC. */
    lastAt: string
  }
  /** What must be changed before the message can be submitted. Empty: nothing. */
  violations: Array<Violation>
  /** Content that can be sent, but may not do what its author expects: `no_scenario`, a `nextNode` button in a message outside a scenario; `scenario_not_active`, a button that begins a scenario which starts nothing now; `host_from_values` and `invisible_dropped`, values of variables that bring addresses or invisible characters; `no_english`, texts without English, if recipients read English; `pace_past_expiry` and `pace_past_reminder`, a pace too slow for the other times; `schedule_past`, a scheduleAt that has passed. */
  warnings: Array<Violation>
}

/** The case in which an edge is followed. */
export type EdgeCase =
  | OptionCase
  | TextCase
  | OtherwiseCase
  | TimeoutCase
  | ErrorCase
  | EqualsCase
  | OneOfCase
  | AtLeastCase
  | AtMostCase
  | ExistsCase
  | ResultCase

/** Changes to a callback, at least one. Omitted fields are unchanged. */
export type EditCallback = {
  /** An https URL with a public address. Redirects are not followed. */
  url?: string
  /** What it is for, at most 200 characters. */
  description?: string
  /** The types of event to send. `message.state_changed`; `message.closed`, with the final counts; `message.answered`, which names people; `message.answer_counts`, counts only; `run.answered`, which names people; `run.ended`; and others, which are sent only to callbacks that name them. The section webhooks of this document describes the requests. */
  types?: Array<CallbackType>
  /** false discards pending deliveries and sends no more. true enables it; on an enabled callback it sends pending deliveries immediately. */
  enabled?: boolean
}

/** Changes to a category, at least one. Omitted fields are unchanged. */
export type EditCategory = {
  /** Its name, as recipients see it. */
  name?: LocalisedName
  /** `mandatory` ignores preferences, topics, quiet hours and the frequency cap, never consent or a block. `service` and `promotional` obey all of them. */
  layer?: 'mandatory' | 'service' | 'promotional'
  /** The scope of the consent that subjects must have given. null: none is required. */
  consentScope?: string | null
  /** On which channels its messages are sent. */
  channelPlan?: {
    /** `first_available`: one delivery, on the first channel on which the subject can be reached. `all`: one on each. */
    mode: 'first_available' | 'all'
    /** The channels, in order of preference, each once. */
    channels: Array<Channel>
  }
  /** `auto`: the automatic check may approve its messages. `manual`: a person must. */
  approval_rule?: 'manual' | 'auto'
  /** The largest audience that the automatic check may approve, in subjects; at least 1 if approval_rule is auto. */
  autoMaxRecipients?: number
  /** Hours in which no send starts; one that is due waits until they end. null: none. */
  quietHours?: {
    /** When they begin, as hh:mm in the time zone of the unit. */
    from: string
    /** When they end, as hh:mm; before `from`: on the next day. */
    to: string
  } | null
  /** How often a subject may get messages of the category. null: no limit. */
  frequencyCap?: {
    /** The most messages of the category to one subject. */
    messages: number
    /** In this many days. */
    days: number
  } | null
  /** What happens to mail whose outcome is unknown: `keep` it as unknown, or `repeat` it once. */
  onUnknown?: 'keep' | 'repeat'
  /** What the chat answers a tap on a button or option of its messages, where `{label}` is the label that was tapped. null: nothing. */
  acknowledgement?: LocalisedName | null
  /** How long, in seconds, a message waits after a person has approved it, so that they can cancel it: 0 to 600. Not after the automatic check, and not if the message expires before. */
  holdSeconds?: number
  /** Where the buttons of its messages that open a web page lead: `direct`: straight to their URL; `tracked`: through the hub, which counts clicks. */
  links?: 'direct' | 'tracked'
  /** Whether its messages can be created and submitted. */
  enabled?: boolean
}

/** Changes to a group, at least one. Omitted fields are unchanged. The kind of a group cannot change. */
export type EditGroup = {
  /** Its name, 1 to 200 characters. */
  name?: string
  /** The legal basis for keeping the list, one of the six of GDPR art. 6 (1). A static group requires one. */
  legalBasis?: LegalBasis
  /** The id of a static group of the unit that must contain all members of this group; null: none. */
  parentId?: string | null
  /** The query that selects its members. Only for dynamic groups. */
  query?: GroupQuery
  /** The id of the producer key that keeps the group up to date: its changes alone return no approved message to review, unless more than a tenth of the recipients change. Approvers see it. null: none. */
  keptByKeyId?: string | null
}

/** Changes to a draft, at least one: given fields are replaced, and null removes an optional one. The result must satisfy the rules of a new message. At most one of templateId and messages is given. */
export type EditMessage = {
  /** The id of an enabled category, from GET /v1/categories. It decides consent, channels, quiet hours and approval. */
  categoryId?: string
  /** The id of a template of the unit. Replaces the messages of the draft. */
  templateId?: string
  /** Values of the template's variables, by name. Replaces all of them. */
  variables?: Record<string, unknown>
  /** The content, block by block. Replaces the template of the draft. At most 100,000 characters in all texts together. */
  messages?: Array<CanonicalMessage>
  /** The subject of its mail, beside messages. null: the first title or text of the content. A template of the draft has its own, and replaces this one. */
  subject?: LocalisedText | null
  /** An entry for the recipients' calendars. null: none. */
  calendar?: CalendarEntry | null
  /** The recipients. Replaces the whole audience. */
  audience?: Audience
  /** Your own reference. null: none. */
  reference?: string | null
  /** When to send. null or in the past: at approval. */
  scheduleAt?: string | null
  /** From this time on nothing is sent. null: never. */
  expiresAt?: string | null
  /** The id of an active topic of the unit. null: none. */
  topicId?: string | null
  /** When to send the content again. null: no reminder. */
  remindAt?: string | null
  /** Whom to remind: `all` recipients, or only those who have not answered. Requires remindAt. */
  remindTo?: 'all' | 'unanswered'
  /** How fast it is sent. null: as fast as the channels take it. */
  pace?: Pace | null
  /** Narrows the category's channel plan. null: the plan as it is. */
  channelPlanOverride?: ChannelPlanOverride | null
  /** Who may read the text. Omitted: as it is. */
  kind?: 'broadcast' | 'personal'
}

/** Changes to a person, at least one. Omitted fields are unchanged. */
export type EditPerson = {
  /** Their e-mail address, as the identity provider knows it. Unique. */
  email?: string
  /** Their name: 1 to 200 characters. */
  name?: string
  /** Whether they are a system administrator. */
  systemAdmin?: boolean
  /** The language of the console and of mails to this person. */
  language?: Locale
  /** Whether they receive approval requests by mail. */
  notices?: boolean
  /** Mails about messages that they wrote, edited or submitted: `rejected` (with the reason), `approved` (by a person), `parked` (for ten minutes), and `failed` (the send reached no one, or fewer than half of at least 20 people). */
  authorNotices?: Array<'rejected' | 'approved' | 'parked' | 'failed'>
  /** Whether they receive mails about handoffs opened in their units. */
  handoffNotices?: boolean
  /** The uid of the subject who is the same person, for test messages in the chat. null: none. */
  subjectUid?: string | null
}

/** Changes to the mails that Carillon sends you, and their language, at least one. Omitted fields are unchanged. */
export type EditSession = {
  /** The language of the console and of mails to this person. */
  language?: Locale
  /** Whether they receive approval requests by mail. */
  notices?: boolean
  /** Mails about messages that they wrote, edited or submitted: `rejected` (with the reason), `approved` (by a person), `parked` (for ten minutes), and `failed` (the send reached no one, or fewer than half of at least 20 people). */
  authorNotices?: Array<'rejected' | 'approved' | 'parked' | 'failed'>
  /** Whether they receive mails about handoffs opened in their units. */
  handoffNotices?: boolean
}

/** Changes to a topic, at least one. Omitted fields are unchanged. */
export type EditTopic = {
  /** Its name, as recipients see it. */
  name?: TopicName
  /** `inactive`: messages of the topic can be neither created nor submitted. */
  status?: 'active' | 'inactive'
}

/** Changes to a unit, at least one. Omitted fields are unchanged. */
export type EditUnit = {
  /** Its name, 1 to 200 characters. Unique. */
  name?: string
  /** Keys of an `administrative` unit may use the Identity API. */
  kind?: 'ordinary' | 'administrative'
  /** The IANA time zone of its quiet hours, such as `Asia/Taipei`. */
  timeZone?: string
  /** Its name as recipients read it in mails and on pages, and the sender of its mails. Unique. null: `name`, and the installation's sender. */
  displayName?: LocalisedName | null
  /** Where answers to its mails go. null: to the installation's address, from which all mails are sent. */
  replyTo?: string | null
  /** How it appears in the chat. null: as the account does. */
  sender?: ChatSenderChange | null
}

/** A draft after an edit. Pass `version` in the next If-Match. */
export type EditedMessage = {
  /** The state after the call. */
  state: MessageState
  /** The version after the edit. Unchanged if the edit changed nothing. */
  version: number
}

/** The outcome of a mail after it was accepted: at least one of address and messageId is given. */
export type EmailEvent = {
  /** Your own id of the event. A repeated one changes nothing. */
  id: string
  /** `bounce`: the mail could not be delivered. `complaint`: its reader marked it as spam. */
  type: 'bounce' | 'complaint'
  /** The address of the mailbox. This or messageId is required. */
  address?: string
  /** The Message-ID of the mail. This or address is required. */
  messageId?: string
  /** false: a transient bounce, which does not suppress the address. Default: true. */
  permanent?: boolean
  /** When it happened: ISO 8601 with an offset. Omitted: at receipt. An invalid or future time is replaced by the time of receipt. */
  at?: string
}

/** What a recipient sees in a mail. */
export type EmailPreview = {
  /** Mail. */
  channel: 'email'
  /** The language of the preview. */
  locale: Locale
  /** The blocks, with template variables filled in, in both languages. */
  messages: Array<CanonicalMessage>
  /** What this channel cannot carry. */
  violations: Array<Violation>
  /** The subject of the mail. */
  subject: string
  /** A complete HTML page. Links that Carillon adds lead to a sample page. */
  html: string
  /** The same in plain text. */
  text: string
  /** What the reminder shows: the same content without the offer to decline it. Omitted without `remindAt`. Its subject begins with 提醒： or Reminder:. */
  reminder?: {
    /** The subject of the mail. */
    subject: string
    /** A complete HTML page. Links that Carillon adds lead to a sample page. */
    html: string
    /** The same in plain text. */
    text: string
  }
}

/** Bounces and complaints, as the operator of the mail server reports them. */
export type EmailWebhook = {
  /** The events, at most 1,000; may be empty. Each is parsed separately, and an invalid one is stored as `unreadable`. */
  events: Array<EmailEvent | unknown>
}

/** A node that ends the run. */
export type EndNode = {
  /** The id of the node in its scenario: 1 to 64 letters, digits, _ or -. */
  id: string
  /** Ends the run. */
  kind: 'end'
}

/** The variable has this value. */
export type EqualsCase = {
  /** The variable has this value. */
  kind: 'equals'
  /** The variable, or a property of one, such as `order.total`. */
  variable: string
  /** The value. A number equals the same number written as a text. */
  value: string | number | boolean
}

/** The subject is erased: no personal data remains under its id. */
export type ErasedSubject = {
  /** The id of the erased subject. Counts still refer to it; it identifies no one. */
  subjectId: string
  /** When it was erased, in UTC. */
  erasedAt: string
}

/** The body of every error response. An operation lists the codes that it can return. */
export type ErrorBody = {
  /** What went wrong. */
  error:
    | ValidationError
    | IdempotencyKeyRequiredError
    | ContentViolationError
    | MissingVariableError
    | AudienceDimensionNotAllowedError
    | DagInvalidError
    | FixedCategoryError
    | TopicInactiveError
    | RemindBeforeSendError
    | RemindAfterExpiryError
    | UnauthenticatedError
    | InvalidCredentialError
    | NotBoundError
    | BadSignatureError
    | StaleTimestampError
    | UnknownKeyError
    | ForbiddenError
    | UnitRequiredError
    | CategoryNotAllowedError
    | IndividualTargetingDisabledError
    | IdentityApiForbiddenError
    | NotFoundError
    | MethodNotAllowedError
    | IdempotencyMismatchError
    | InvalidTransitionError
    | QuotaExceededError
    | SelfApprovalError
    | GroupSubsetError
    | TooManyRunsError
    | TooManySubjectsError
    | TooManyEventsError
    | PayloadTooLargeError
    | RateLimitedError
    | InternalError
    | ProviderError
    | RetryableError
    | NotConfiguredError
    | UnavailableError
}

/** The node failed, such as a Lookup without an answer or a message that may not be sent. */
export type ErrorCase = {
  /** The node failed, such as a Lookup without an answer or a message that may not be sent. */
  kind: 'error'
}

/** The outcome of an event, the same for every repeat: `accepted` with the message that it created or with the number of runs that it started, or `error`, why there are none. Which of the two is there tells the forms apart. */
export type EventAnswer = AcceptedEvent | RecordedError

/** The outcomes of a batch. */
export type EventAnswers = {
  /** One outcome for each event, in the order of the request. */
  items: Array<EventAnswer>
}

/** Whom an event is for: the subjects that it names, or a query. */
export type EventAudience = EventSubjects | QueryAudience

/** Several events of one source, signed together. Further fields are ignored. */
export type EventBatch = {
  /** The events, 1 to 100, with at most 50,000 subjectUids together, repetitions included. */
  events: Array<SystemEvent>
  /** Must be absent: it distinguishes the body of a Lookup, which is signed in the same way. */
  subject?: never
}

/** A binding with the fields of the version in force; while none is in force, of the newest. */
export type EventBinding = {
  /** The id of the binding. */
  id: string
  /** The unit that sends the messages, or whose scenario is started. */
  unitId: string
  /** The system whose events it applies to. */
  source: string
  /** The type of event it applies to. */
  type: string
  /** The id of the category of the messages. */
  categoryId: string
  /** The id of the template; null: none, and without a scenario events get the error no_template. */
  templateId: string | null
  /** The id of the scenario whose runs events start; null: none. */
  scenarioId: string | null
  /** Whether a person has at most one open run of the scenario, or one for each event; null without a scenario. */
  runPer: 'subject' | 'event' | null
  /** The recipients of the messages or runs. */
  audience: StoredEventAudience
  /** The ids of the only signing keys that this binding accepts; null: all. Events signed with others get the error no_binding. */
  keyIds: Array<string> | null
  /** Whether events create messages or start runs. */
  enabled: boolean
  /** The version that events use; null while none has been approved. Then events get no_binding. */
  inForce: number | null
  /** The version written last: in force, waiting for an approver, or rejected. */
  newest: EventBindingVersion
  /** When the binding was created, in UTC. */
  createdAt: string
  /** When it was last changed or decided about, in UTC. */
  updatedAt: string
}

/** A binding with the fields of the version in force, and what the caller may decide about the newest. */
export type EventBindingDetail = {
  /** The id of the binding. */
  id: string
  /** The unit that sends the messages, or whose scenario is started. */
  unitId: string
  /** The system whose events it applies to. */
  source: string
  /** The type of event it applies to. */
  type: string
  /** The id of the category of the messages. */
  categoryId: string
  /** The id of the template; null: none, and without a scenario events get the error no_template. */
  templateId: string | null
  /** The id of the scenario whose runs events start; null: none. */
  scenarioId: string | null
  /** Whether a person has at most one open run of the scenario, or one for each event; null without a scenario. */
  runPer: 'subject' | 'event' | null
  /** The recipients of the messages or runs. */
  audience: StoredEventAudience
  /** The ids of the only signing keys that this binding accepts; null: all. Events signed with others get the error no_binding. */
  keyIds: Array<string> | null
  /** Whether events create messages or start runs. */
  enabled: boolean
  /** The version that events use; null while none has been approved. Then events get no_binding. */
  inForce: number | null
  /** The version written last: in force, waiting for an approver, or rejected. */
  newest: EventBindingVersion
  /** When the binding was created, in UTC. */
  createdAt: string
  /** When it was last changed or decided about, in UTC. */
  updatedAt: string
  /** What the caller may decide about the newest version now. */
  allowed: Decisions
}

/** Query parameters, such as those of `GET /v1/event-bindings`. */
export type EventBindingListQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
}

/** One page of a unit's bindings, newest first. */
export type EventBindingPage = {
  /** The items of this page. */
  items: Array<EventBinding>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** One version of a binding. */
export type EventBindingVersion = {
  /** The number of the version, counted from 1. */
  version: number
  /** `submitted`: waits for an approver. `replaced`: a newer version has taken its place. */
  state: 'submitted' | 'in_force' | 'replaced' | 'rejected'
  /** The system whose events it applies to. */
  source: string
  /** The type of event it applies to. */
  type: string
  /** The id of the category of the messages. */
  categoryId: string
  /** The id of the template; null: none, and without a scenario events get the error no_template. */
  templateId: string | null
  /** The id of the scenario whose runs events start; null: none. */
  scenarioId: string | null
  /** Whether a person has at most one open run of the scenario, or one for each event; null without a scenario. */
  runPer: 'subject' | 'event' | null
  /** The recipients of the messages or runs. */
  audience: StoredEventAudience
  /** The ids of the only signing keys that this binding accepts; null: all. Events signed with others get the error no_binding. */
  keyIds: Array<string> | null
  /** Whether events create messages or start runs. */
  enabled: boolean
  /** Who wrote it. */
  author: Actor
  /** When it was written, in UTC. */
  createdAt: string
  /** The decision about it; null: none yet, or none was needed. */
  decision: Decision | null
}

/** Why an event created no message and started no runs. `no_subjects`: no uid is known, and the binding has no query. `no_binding`: none of this source and type is in force and enabled for the signing key, or its category is disabled. `no_template`: the binding has neither template nor scenario. `no_scenario`: its scenario is not active, is now of another category, or that is disabled. `missing_variable`, `content_violation`: see details; or the variables of a scenario are more than 64 KiB. `too_many_runs`: the unit would have more than 100,000 open runs. `too_many_people`: no person has approved the version of the scenario in force, and others would start it for more people in 24 hours than its category allows (autoMaxRecipients). `invalid_event`: it does not match its schema, see details. `internal`: logged by Carillon. Sign and send it again, or replay it. */
export type EventError =
  | 'no_subjects'
  | 'no_binding'
  | 'no_template'
  | 'no_scenario'
  | 'missing_variable'
  | 'content_violation'
  | 'too_many_runs'
  | 'too_many_people'
  | 'invalid_event'
  | 'internal'

/** What to mend so that the event can create a message: `variables` of missing_variable, `violations` of content_violation, or `issues` of invalid_event. */
export type EventErrorDetails = MissingVariables | ContentViolations | InvalidEvent

/** A signing key of events, without its secret. */
export type EventKey = {
  /** The id of the key, for the header X-Service-Key-Id. */
  id: string
  /** The unit whose bindings its events trigger. */
  unitId: string
  /** What it is for, such as the name of a system. */
  name: string
  /** The only sources whose events it may sign. */
  sources: Array<string>
  /** When it was issued, in UTC. */
  createdAt: string
  /** When it was revoked, in UTC; null: it is active. */
  revokedAt: string | null
}

/** One page of signing keys, newest first. */
export type EventKeyPage = {
  /** The items of this page. */
  items: Array<EventKey>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** The outcomes of a replay, in numbers of events. */
export type EventReplay = {
  /** Events that had created no message and started no runs. */
  events: number
  /** How many of them have created a message now. */
  messages: number
  /** How many runs they have started now. */
  runs: number
  /** How many have made nothing, by reason. */
  errors: Partial<Record<EventError, number>>
  /** How many workers will process in the following minutes. */
  waiting: number
}

/** The subjects that the event names. Its message is personal. */
export type EventSubjects = {
  /** Selects the subjects of the event. */
  kind: 'event_subjects'
}

/** A unit's last days, today included, in numbers. */
export type ExecutiveMetrics = {
  /** Counts about messages. */
  reach: {
    /** Deliveries that arrived or may have arrived, reminders included. */
    sent: number
    /** Distinct people of these deliveries. */
    people: number
    /** People reached by each message, added up; reminders do not count. */
    reached: number
    /** Those of `reached` who have read the message. */
    read: number
    /** Those of `people` who blocked the chat account in these days. */
    blocked: number
    /** `read` ÷ `reached`; null: no one was reached. */
    readRate: number | null
    /** `blocked` ÷ `people`; null: no one was reached. */
    blockRate: number | null
  }
  /** What people no longer want. */
  unsubscribes: {
    /** Unsubscribed topics of the unit. */
    topics: number
    /** Categories switched off by those whom the unit reached in these days. */
    categories: number
  }
  /** The messages with a reminder, by id: the newest 100 that were sent in these days. */
  reminders: Record<
    string,
    {
      /** People reached by the message. */
      reached: number
      /** Those of them who have read it. */
      read: number
      /** Those of them who asked for no reminder. */
      doNotRemind: number
      /** Deliveries of the reminder that arrived or may have arrived. */
      sentAfterReminder: number
    }
  >
  /** Conversations that people took over. */
  handoffs: {
    /** Handoffs that were opened in these days. */
    toPerson: number
    /** Replies in them that arrived or may have arrived. */
    replies: number
  }
  /** The patterns of the unit that were open in these days, by id: the newest 100. Counted from their beginning, every few minutes. */
  completion: Record<
    string,
    {
      /** People who were sent a message whose button starts it, or whose run was started by others. */
      invited: number
      /** How many went to the end; no more than were invited. */
      completed: number
      /** `completed` ÷ `invited`; null: no one was invited. */
      rate: number | null
    }
  >
  /** Counts about scenarios. */
  conversations: {
    /** Runs of scenarios that began in these days. */
    runs: number
    /** Turns that arrived or may have arrived. */
    turns: number
    /** With how many people. */
    people: number
    /** Those of `runs` that came to their end. */
    completed: number
  }
  /** All people of the institution by source and stage; `unknown`: without a source; `other`: with one that fewer than five have, or of more than 64 characters. `<source>:<ref>` are those of a source with this ref, if at least five: they are counted under the source as well, or under `other`. */
  funnel: Record<
    string,
    {
      /** Those of them who are visitors. */
      visitor: number
      /** Those who are leads. */
      lead: number
      /** Those who are members. */
      member: number
      /** Those who are alumni. */
      alumni: number
    }
  >
  /** How many people of the institution carry each tag `interest:…`; `other`: those with one that fewer than five carry. */
  interests: Record<string, number>
  /** Alumni of the institution. */
  alumni: {
    /** Alumni who have read, answered or tapped something in these days, of any unit. */
    active: number
    /** All alumni of the institution. */
    total: number
  }
}

/** The variable has a value other than null. */
export type ExistsCase = {
  /** The variable has a value other than null. */
  kind: 'exists'
  /** The variable, or a property of one, such as `order.total`. */
  variable: string
}

/** The address to look up. It is in the body, because paths are logged. */
export type FindSuppression = {
  /** The channel of the address. */
  channel: Channel
  /** The address, in any spelling. */
  address: string
}

/** The caller is authenticated but may not do this. */
export type FinishSignInForbiddenError = {
  /** Identifies the error. Branch on it. */
  code: 'forbidden'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** Why the account belongs to no person. */
  details?: {
    /** `unverified`: the account has no verified e-mail address. `unknown`: no person has it. `other_account`: another account has signed in with it before. */
    reason: 'unverified' | 'unknown' | 'other_account'
  }
}

/** The credential is malformed, unknown, revoked or expired. */
export type FinishSignInInvalidCredentialError = {
  /** Identifies the error. Branch on it. */
  code: 'invalid_credential'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** Which check failed. Omitted if the attempt has expired, or the person did not sign in. */
  details?: {
    /** The code of the check that failed, of OAuth or OpenID Connect. */
    reason: string
  }
}

/** A mandatory category cannot be turned off. */
export type FixedCategoryError = {
  /** Identifies the error. Branch on it. */
  code: 'fixed_category'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** What is wrong with the request, and where. */
  details: {
    /** What is wrong, in the order of the request; at most 50. */
    issues: Array<Issue>
  }
}

/** The caller is authenticated but may not do this. It has no details. */
export type ForbiddenError = {
  /** Identifies the error. Branch on it. */
  code: 'forbidden'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** For keys of an administrative unit all that is stored, with `stage` and further fields; for other keys only the two ids. Whether it has `stage` tells the two forms apart. */
export type FoundSubject = Subject | SubjectRef

/** Whether the address is suppressed. */
export type FoundSuppression = {
  /** Why it is suppressed; null: it is not. */
  suppression: Suppression | null
}

/** One variable of a template, as its author writes it. */
export type GivenVariable = {
  /** The name, as texts use it: letters, digits and _, not starting with a digit; at most 200 characters. */
  name: string
  /** Whether a message must give a value. Default: true if there is no default value. */
  required?: boolean
  /** The value if a message gives none: any JSON. Omitted: none. */
  default?: unknown
}

/** A consent that the subject has given. */
export type GrantConsent = {
  /** What the subject consents to, such as `admission`: 1 to 100 characters. */
  scope: string
  /** The version of the text that they agreed to: 1 to 100 characters. */
  version: string
  /** Where they gave it, such as a form, desk or page: 1 to 100 characters. */
  source: string
}

/** One thing that is wrong with the graph of a scenario. */
export type GraphProblem = {
  /** The rule that is broken. */
  rule:
    | 'duplicate_node'
    | 'unknown_node'
    | 'cycle'
    | 'unreachable'
    | 'dead_end'
    | 'missing_edge'
    | 'duplicate_edge'
    | 'wrong_edge'
    | 'unknown_option'
    | 'duplicate_option'
    | 'no_answer'
    | 'wrong_place'
    | 'reserved_name'
    | 'jump_circle'
    | 'jump_reach'
  /** The id of the node. Omitted: it is about an edge, or the whole. */
  node?: string
  /** The edge, as it was written. Omitted: it is about a node. */
  edge?: ScenarioEdge
  /** What is wrong and what to do, in both languages, for people. */
  message: LocalisedText
}

/** A named set of subjects: listed (static) or selected by a query (dynamic). */
export type Group = {
  /** The id of the group, for audiences. */
  id: string
  /** The unit that it belongs to. */
  unitId: string
  /** Its name, for people of the unit. */
  name: string
  /** `static`: its members are listed. `dynamic`: they are the subjects that match its query at any moment. */
  kind: 'static' | 'dynamic'
  /** The legal basis for keeping the list, one of the six of GDPR art. 6 (1). A static group requires one. */
  legalBasis: LegalBasis | null
  /** The static group that contains all its members; null: none. */
  parentId: string | null
  /** The query that selects its members. Only for dynamic groups. */
  query?: StoredGroupQuery
  /** The id of the producer key that keeps the group up to date: its changes alone return no approved message to review, unless more than a tenth of the recipients change. Approvers see it. null: none. */
  keptByKeyId: string | null
  /** The number of members. Only for static groups, and not in lists. */
  memberCount?: number
  /** When it was created, in UTC. */
  createdAt: string
}

/** Query parameters, such as those of `GET /v1/groups`. */
export type GroupListQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** Only those whose name or title contains this, in either case, or whose id it is. Omitted: all. */
  q?: string
}

/** One page of a unit's groups, newest first. */
export type GroupPage = {
  /** The items of this page. */
  items: Array<Group>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** The subjects of a dynamic group, by at least one dimension, except those in `exclude`. A subject must match every dimension that is given, each by any of its values. An empty list counts as omitted, and repeated values are dropped. Its `groups` are static groups of the unit. Each list has at most 1,000 values, groups 50. */
export type GroupQuery = {
  /** May be given, as in an audience. */
  kind?: 'query'
  /** By role in the institution. */
  roles?: Array<SubjectRole>
  /** By how far the relation has come. */
  stages?: Array<Stage>
  /** By organisational unit, as in the profile. Compared exactly. */
  orgUnits?: Array<string>
  /** By class, as in the profile. Compared exactly. */
  classIds?: Array<string>
  /** By the id of a group of the unit, at most 50. Unknown ones match no one. */
  groups?: Array<string>
  /** By tag, such as `interest:music`. Compared exactly. */
  tags?: Array<string>
  /** By what they received or did before. */
  history?: Array<HistoryEntry>
  /** The subjects to leave out of those selected. */
  exclude?: AudienceDimensions
}

/** Members of a group must also be members of its parent. */
export type GroupSubsetError = {
  /** Identifies the error. Branch on it. */
  code: 'group_subset'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** Omitted if the group would be its own ancestor. */
  details?: {
    /** How many people are in the way. */
    count: number
  }
}

/** A conversation that people of a unit have taken over. */
export type Handoff = {
  /** The id of the handoff. */
  id: string
  /** The unit whose people answer. */
  unitId: string
  /** `open`: what the person types goes to the people of the unit. */
  state: 'open' | 'closed'
  /** What handed the conversation over: the node of a scenario, or the conversational assistant. */
  openedBy: 'scenario' | 'assistant'
  /** The scenario; null: the assistant opened it. */
  scenarioId: string | null
  /** The run that waits at the node; null: the assistant opened it. Only for callers who may read personal data of runs. */
  runId?: string | null
  /** The id of the node; null: the assistant opened it. Only for the same callers. */
  node?: string | null
  /** The conversation as the assistant names it; null: a scenario opened it, or it is past retention. */
  conversationId: string | null
  /** The person; null: the chat address is not bound, the person was erased, or the handoff is past retention. */
  subjectId: string | null
  /** Their uid; null as `subjectId`. */
  uid: string | null
  /** Whether a test run opened it; such handoffs send no mail. */
  test: boolean
  /** When, in UTC. */
  openedAt: string
  /** The time of the last message of either side, in UTC; at first, of its opening. */
  lastMessageAt: string
  /** When it was closed, in UTC; null: it is open. */
  closedAt: string | null
  /** Who closed it; null: it is open. */
  closedBy: Actor | null
  /** Why it is closed: by the unit (`closed`), by the `assistant`, after a day of `silence`, because the time of its node was over (`timeout`), because its run ended another way (`run_ended`), because the chat address is no longer the person's (`unbound`), or because the person was `erased`; null: it is open. */
  reason: 'closed' | 'assistant' | 'silence' | 'timeout' | 'run_ended' | 'unbound' | 'erased' | null
}

/** A handoff is over. */
export type HandoffClosedEvent = {
  /** The type of event. */
  type: 'handoff.closed'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** Which handoff, and why. */
  data: {
    /** The unit that answers, and that has the callback. */
    unitId: string
    /** The handoff. */
    handoffId: string
    /** The run that opened it; null: the conversational assistant did. */
    runId: string | null
    /** Why, as `reason` of the handoff. */
    reason: 'closed' | 'assistant' | 'silence' | 'timeout' | 'run_ended' | 'unbound' | 'erased' | null
  }
}

/** A handoff with its conversation. */
export type HandoffDetail = {
  /** The id of the handoff. */
  id: string
  /** The unit whose people answer. */
  unitId: string
  /** `open`: what the person types goes to the people of the unit. */
  state: 'open' | 'closed'
  /** What handed the conversation over: the node of a scenario, or the conversational assistant. */
  openedBy: 'scenario' | 'assistant'
  /** The scenario; null: the assistant opened it. */
  scenarioId: string | null
  /** The run that waits at the node; null: the assistant opened it. Only for callers who may read personal data of runs. */
  runId?: string | null
  /** The id of the node; null: the assistant opened it. Only for the same callers. */
  node?: string | null
  /** The conversation as the assistant names it; null: a scenario opened it, or it is past retention. */
  conversationId: string | null
  /** The person; null: the chat address is not bound, the person was erased, or the handoff is past retention. */
  subjectId: string | null
  /** Their uid; null as `subjectId`. */
  uid: string | null
  /** Whether a test run opened it; such handoffs send no mail. */
  test: boolean
  /** When, in UTC. */
  openedAt: string
  /** The time of the last message of either side, in UTC; at first, of its opening. */
  lastMessageAt: string
  /** When it was closed, in UTC; null: it is open. */
  closedAt: string | null
  /** Who closed it; null: it is open. */
  closedBy: Actor | null
  /** Why it is closed: by the unit (`closed`), by the `assistant`, after a day of `silence`, because the time of its node was over (`timeout`), because its run ended another way (`run_ended`), because the chat address is no longer the person's (`unbound`), or because the person was `erased`; null: it is open. */
  reason: 'closed' | 'assistant' | 'silence' | 'timeout' | 'run_ended' | 'unbound' | 'erased' | null
  /** The person; null: nobody is bound to the address, or they were erased. */
  person: HandoffPerson | null
  /** The conversation, oldest first: the newest 500 of what was said, and of these as many as have 100,000 characters together. */
  messages: Array<HandoffMessage>
  /** How many older ones are not shown. */
  omitted: number
}

/** A message of one side of a handoff. */
export type HandoffMessage = {
  /** The id of the message. */
  id: string
  /** The side that said it. */
  from: 'person' | 'unit'
  /** When it was taken, in UTC. */
  at: string
  /** The text of the person; null: not a text, or a reply of the unit, which is in `messages`. */
  text: string | null
  /** The reply of the unit; null: a message of the person, or its text was deleted. */
  messages: Array<CanonicalMessage> | null
  /** Who replied; null: a message of the person. */
  by: Actor | null
  /** Of a reply: `pending`: it will be sent. `unknown`: it may or may not have arrived. null: a message of the person. */
  state: 'pending' | 'sent' | 'skipped' | 'failed' | 'unknown' | null
  /** Why a reply was skipped or failed; null if there is no reason. */
  reason: string | null
}

/** A node that hands the conversation to a person of the unit and waits until they close it. */
export type HandoffNode = {
  /** The id of the node in its scenario: 1 to 64 letters, digits, _ or -. */
  id: string
  /** Hands the conversation to a person of the unit. */
  kind: 'handoff'
  /** How long it waits for them to close it, in seconds. */
  timeoutSeconds: number
}

/** A handoff was opened: a person waits for an answer of the unit. */
export type HandoffOpenedEvent = {
  /** The type of event. */
  type: 'handoff.opened'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** The handoff. GET /v1/handoffs/{id} names the person to callers who may read it. */
  data: {
    /** The unit that answers, and that has the callback. */
    unitId: string
    /** The handoff. */
    handoffId: string
    /** The run that opened it; null: the conversational assistant did. */
    runId: string | null
  }
}

/** One page of the handoffs of a unit, newest first. */
export type HandoffPage = {
  /** The items of this page. */
  items: Array<Handoff>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** The person in the conversation. */
export type HandoffPerson = {
  /** Their name; null: not known. */
  displayName: string | null
  /** The language in which they read. */
  locale: Locale
  /** Their classes. */
  classIds: Array<string>
  /** Their organisational units. */
  orgUnits: Array<string>
}

/** Query parameters, such as those of `GET /v1/handoffs`. */
export type HandoffQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** Only handoffs in these states. May be repeated. Omitted: all. */
  state?: Array<'open' | 'closed'> | 'open' | 'closed'
}

/** The reply is stored. */
export type HandoffReply = {
  /** The id of the reply in `messages` of the handoff. */
  id: string
  /** `pending`: it will be sent. Of a repeat: what has become of it. */
  state: 'pending' | 'sent' | 'skipped' | 'failed' | 'unknown'
}

/** The state of the installation: counts and states only. */
export type Health = {
  /** `degraded`: the API works and nothing is lost, but sends wait, or an integration does not work. `down`: the API cannot serve requests. */
  status: 'ok' | 'degraded' | 'down'
  /** `down`: unavailable, or takes no writes, as a standby. */
  database: 'ok' | 'down'
  /** The server that carries the runs. Unless it is `ok`, no run starts, and nothing is lost. `misconfigured`: it answers, but lacks the namespace or search attributes, or rejects this installation. */
  temporal: 'ok' | 'misconfigured' | 'down'
  /** The provider of each channel. `unavailable`: it does not answer, or has let the channel rest for a minute and taken nothing. `misconfigured`: it rejects this installation. `not_configured`: this installation does not have the channel. */
  adapters: Partial<Record<Channel, 'ok' | 'unavailable' | 'misconfigured' | 'not_configured'>>
  /** The systems that Carillon works with. `unavailable`: it does not answer, or the database is down. `not_configured`: this installation does not have it, or nothing is registered. An endpoint of a producer that fails is not shown here. */
  integrations: {
    /** The identity provider of the console. `misconfigured`: it is not the provider that the settings name, or it has rejected the client at the last sign-in. */
    signIn: 'ok' | 'unavailable' | 'misconfigured' | 'not_configured'
    /** The Lookup endpoints. `misconfigured`: the key of one is missing, or its address may not be called. */
    lookups: 'ok' | 'unavailable' | 'misconfigured' | 'not_configured'
    /** The conversational assistant. `misconfigured`: its secret is missing, or its unit does not exist. */
    avatar: 'ok' | 'unavailable' | 'misconfigured' | 'not_configured'
    /** Callbacks to producers. `misconfigured`: the secret of one cannot be read, or its address may not be called. */
    callbacks: 'ok' | 'unavailable' | 'misconfigured' | 'not_configured'
  }
  /** The runs of messages and scenarios. null while the database is down. */
  runs: {
    /** Runs that are at least a minute late. */
    overdue: number
    /** Runs whose workflow task keeps failing. */
    wedged: number
    /** Runs restarted within a day because they were wedged. */
    restarted: number
    /** How late the run is that is furthest behind, in seconds. */
    oldestSeconds: number
  } | null
  /** Messages and runs of scenarios that are parked and retried by themselves, by reason. null while the database is down. */
  parked: {
    /** The provider is down or rejects the installation. */
    provider: number
    /** The provider's quota, or a sending limit of the mail server, is exhausted. */
    provider_quota: number
    /** Carillon's quota is exhausted. */
    quota: number
    /** The mail server rejects so many of the recipients that it is not believed. */
    unknown_recipients: number
    /** A step keeps failing inside Carillon and is retried every hour. */
    internal: number
  } | null
  /** The state of sending by channel. null while the database is down. */
  sending: Partial<
    Record<
      Channel,
      {
        /** Until when the channel rests, as its provider asked, in UTC: until then only a probe is sent. null: it does not rest. */
        restsUntil: string | null
        /** Deferred batches that are being retried. */
        retrying: number
        /** How long the oldest of them has been deferred, in seconds. */
        oldestSeconds: number
      }
    >
  > | null
  /** Sends that ended within the last hour and reached no one, or missed a tenth or more of at least 20 people. null while the database is down. */
  failedSends: {
    /** How many sends. */
    sends: number
    /** People to whom they were sent. */
    people: number
    /** People who received them or may have. */
    reached: number
    /** Why deliveries failed, the commonest reason first. */
    reasons: Array<{
      /** The channel. */
      channel: Channel
      /** The code of the failures. */
      reason: string
      /** How many deliveries failed for it. */
      deliveries: number
    }>
  } | null
}

/** What a subject received or did before. */
export type HistoryEntry = RegisteredHistory | ReceivedHistory | AnsweredHistory

/** Send an Idempotency-Key header. It has no details. */
export type IdempotencyKeyRequiredError = {
  /** Identifies the error. Branch on it. */
  code: 'idempotency_key_required'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** The Idempotency-Key was already used with a different body. */
export type IdempotencyMismatchError = {
  /** Identifies the error. Branch on it. */
  code: 'idempotency_mismatch'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** What the key was used for. */
  details: {
    /** The message that was created with this Idempotency-Key. */
    id: string
  }
}

/** This operation requires a key of an administrative unit. It has no details. */
export type IdentityApiForbiddenError = {
  /** Identifies the error. Branch on it. */
  code: 'identity_api_forbidden'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** An image, loaded from its address when it is displayed. */
export type ImageMessage = {
  /** An image. */
  kind: 'image'
  /** The address of the image, which must be https for the chat. */
  url: string
  /** What the image shows, where it is not displayed or cannot be seen. */
  alt: LocalisedText
  /** The address of a smaller image for the chat. Omitted: `url`. */
  previewUrl?: string
}

/** An import and its progress, in lines. */
export type Import = {
  /** The id of the import. */
  id: string
  /** `uploading`: the upload is in progress. `queued`: waiting for a worker. `processing`: a worker is writing it. `completed`: every line is processed. */
  state: 'uploading' | 'queued' | 'processing' | 'completed'
  /** The format of the file. */
  format: 'csv' | 'ndjson'
  /** Subjects in the file: its lines, without the header of a CSV and empty lines. */
  lines: number
  /** How many of them are processed: `written` and `rejected` together. */
  processed: number
  /** How many are written, or needed no change. */
  written: number
  /** How many were rejected, each with its reason in the list of rejected lines. */
  rejected: number
  /** The key that sent the file. */
  by: Actor
  /** When the upload began, in UTC. */
  createdAt: string
  /** When the last line was processed, in UTC; null: not yet. */
  finishedAt: string | null
}

/** Every line of an import is processed. */
export type ImportClosedEvent = {
  /** The type of event. */
  type: 'import.closed'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** How it ended. */
  data: {
    /** The unit of the import and of the callback. */
    unitId: string
    /** The import. */
    importId: string
    /** Its lines. */
    lines: number
    /** Those that were written. */
    written: number
    /** Those that were not; GET /v1/imports/{id}/rejected says why. */
    rejected: number
  }
}

/** One page of a unit's imports, newest first. */
export type ImportPage = {
  /** The items of this page. */
  items: Array<Import>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** Query parameters, such as those of `POST /v1/imports`. */
export type ImportQuery = {
  /** The campaign, QR code or intake period, recorded with the source `import` as the acquisition of subjects that have none, unless their line has its own. */
  ref?: string
}

/** One subject of an import, as a line of NDJSON. Omitted fields are unchanged. */
export type ImportRecord = {
  /** The name to show; null: none. */
  displayName?: string | null
  /** The language of messages to the subject. zh-TW for a new one. */
  locale?: Locale
  /** Roles in the institution. A list replaces the previous one. */
  roles?: Array<SubjectRole>
  /** Organisational units, such as departments. A list replaces the previous one. */
  orgUnits?: Array<string>
  /** Classes. A list replaces the previous one. */
  classIds?: Array<string>
  /** Other attributes, by name. In an update each one is set separately; null removes it. */
  attributes?: Record<string, unknown>
  /** The producer's id of the subject: 1 to 100 characters without spaces or control characters. */
  uid: string
  /** The stage. It only moves forward; an earlier one is ignored. */
  stage?: Stage
  /** Tags to add, at most 200: ASCII, `namespace:value`. None is removed. */
  tags?: Array<string>
  /** The chat provider's id of the user, which is bound to the subject. */
  chat?: string
  /** The e-mail address, which is bound to the subject. */
  email?: string
  /** How the first contact came about. Used if none is recorded yet. */
  acquisition?: Acquisition
  /** Consents to record, at most 50. One that was withdrawn in Carillon stays withdrawn. */
  consents?: Array<{
    /** What the subject consents to, such as `admission`: 1 to 100 characters. */
    scope: string
    /** The version of the text that they agreed to: 1 to 100 characters. */
    version: string
    /** Where they gave it: 1 to 100 characters. Omitted: `import`. */
    source?: string
  }>
}

/** One subject of an import, as a record of CSV: the cells by column. A missing column changes nothing. */
export type ImportRow = {
  /** The producer's id of the subject. The only column that must be there, and be filled in. */
  uid: string
  /** `visitor`, `lead`, `member` or `alumni`. It only moves forward. Empty: unchanged. */
  stage?: string
  /** `zh-TW` or `en`. Empty: unchanged. */
  locale?: string
  /** The name to show. Empty: clears it. */
  displayName?: string
  /** `student`, `teacher`, `staff`, separated by semicolons. Empty: clears them. */
  roles?: string
  /** Organisational units, separated by semicolons. Empty: clears them. */
  orgUnits?: string
  /** Classes, separated by semicolons. Empty: clears them. */
  classIds?: string
  /** Tags to add, separated by semicolons. Empty: unchanged. */
  tags?: string
  /** The chat provider's id of the user, which is bound. Empty: unchanged. */
  chat?: string
  /** The e-mail address, which is bound. Empty: unchanged. */
  email?: string
  /** `chat_embed`, `directory`, `import` or `event:<source>`; used if none is recorded yet. Empty: ignored. */
  acquisitionSource?: string
  /** The campaign, QR code or intake period, of the source `import` if none is given. Empty: ignored. */
  acquisitionRef?: string
  /** Consents to record, each `scope=version`, separated by semicolons. Empty: unchanged. */
  consents?: string
}

/** How much of the caller's inbox is unread. */
export type InboxCount = {
  /** How many items are not marked as read. */
  unread: number
}

/** A message that reached the caller, or may have reached them. */
export type InboxItem = {
  /** The id of the item, to mark it as read. */
  id: string
  /** The message. */
  messageId: string
  /** Its title; once the retention period of the text has passed, the name of its category. */
  title: LocalisedText
  /** The unit that sent it. */
  unit: {
    /** The id of the unit. */
    id: string
    /** Its name, as recipients of its messages see it. */
    name: LocalisedText
  }
  /** Its category. */
  category: {
    /** The id of the category. */
    id: string
    /** Its name. */
    name: LocalisedText
  }
  /** The id of its category. */
  categoryId: string
  /** The id of its topic; null: none. */
  topicId: string | null
  /** When the send started, in UTC. */
  sentAt: string
  /** When what it says is over, in UTC; null: it does not expire. */
  expiresAt: string | null
  /** When it was first marked as read, in UTC; null: it is unread. */
  readAt: string | null
  /** The blocks as sent, in both languages; empty once the retention period of the text has passed. */
  messages: Array<CanonicalMessage>
}

/** One page of the caller's inbox, newest first. */
export type InboxPage = {
  /** The items of this page. */
  items: Array<InboxItem>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** An item that is read. */
export type InboxRead = {
  /** The id of the item. */
  id: string
  /** When it was first marked as read, in UTC. */
  readAt: string
}

/** Subjects by uid. Only for producer keys with individual targeting. Each use is recorded in the audit log. */
export type IndividualAudience = {
  /** Names each subject. */
  kind: 'individual'
  /** The uids of the subjects, 1 to 5,000, each counted once. Unknown ones are ignored and counted in `recipients.unknownUids`. */
  uids: Array<string>
}

/** The credential may not use individual audiences, or small ones of the unit's own lists. It has no details. */
export type IndividualTargetingDisabledError = {
  /** Identifies the error. Branch on it. */
  code: 'individual_targeting_disabled'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** Internal error. It has been logged under the X-Request-Id of this response. It has no details. */
export type InternalError = {
  /** Identifies the error. Branch on it. */
  code: 'internal'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** The credential is malformed, unknown, revoked or expired. It has no details. */
export type InvalidCredentialError = {
  /** Identifies the error. Branch on it. */
  code: 'invalid_credential'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** What is wrong with an invalid_event. */
export type InvalidEvent = {
  /** What is wrong with the event; at most 50. */
  issues: Array<Issue>
}

/** The current state does not allow this, or has changed; details contains the state and who set it. */
export type InvalidTransitionError = {
  /** Identifies the error. Branch on it. */
  code: 'invalid_transition'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** The state that does not allow the call. */
  details: {
    /** The current state: of the message, template version, binding, scenario or its version; `bound` for an address, an event type or a trigger that something else has; `disabled` for a disabled binding. */
    state: string
    /** Who set it, such as `person:…`, `key:…` or `system:run`; null if unknown. */
    by: string | null
    /** When it was set, in UTC; null if `by` is. */
    at: string | null
  }
}

/** One thing that is wrong with the request. */
export type Issue = {
  /** Where it is: `messages[0].text.zh-TW` in the body, the name of a parameter or header, `line 17` of a list; empty for the request as a whole. */
  path: string
  /** What the value must be, in English, to follow the path. Never repeats the value. */
  message: string
  /** The rule that it breaks, such as `too_long`, with its facts beside it: branch on it (docs/api/errors.md, Rules of issues). An open list: treat one that you do not know as `invalid`. */
  rule: string
  /** The most or the least that the rule allows. Omitted: it has no limit. */
  limit?: number
  /** What the limit counts, such as `characters` or `entries`. Omitted: the value itself. */
  unit?: string
}

/** A new signing key. Its secret is stored encrypted. */
export type IssuedEventKey = {
  /** The id of the key, for the header X-Service-Key-Id. */
  id: string
  /** The secret to sign with. Returned only now: store it safely. */
  secret: string
}

/** A new key. Only a hash of its secret is stored. */
export type IssuedKey = {
  /** The id of the key, for the list and to revoke it. */
  id: string
  /** The whole key, `hub_<id>_<secret>`, for the Authorization header. Returned only now: store it safely. */
  key: string
}

/** A node that ends the run and starts another scenario with the person. */
export type JumpNode = {
  /** The id of the node in its scenario: 1 to 64 letters, digits, _ or -. */
  id: string
  /** Goes on in another scenario. */
  kind: 'jump'
  /** The id of an active scenario of the unit. */
  scenarioId: string
  /** The names of the variables to take along. Omitted: none. */
  variables?: Array<string>
}

/** A button that starts a scenario with the person who taps, if it is active in the unit of the message. */
export type JumpScenarioAction = {
  /** Leads to another scenario. */
  kind: 'jumpScenario'
  /** What the button says. */
  label: LocalisedText
  /** The id of the scenario. */
  scenarioId: string
}

/** A unit's quota on one channel in one month, in pushes: one recipient of one provider call is one push. */
export type LedgerEntry = {
  /** The channel. */
  channel: Channel
  /** The month, yyyy-mm, in the installation's time zone of quota. */
  month: string
  /** The unit's own allotment for the month. */
  limit: number
  /** Reserved for approved messages that are not finished. */
  reserved: number
  /** Used by sends. */
  committed: number
  /** What is left of the pool that all units share; it covers use beyond the allotment. */
  poolRemaining: number
  /** How much of the allotment is used: `ok`; `warning` from 80 % on; `exhausted`. */
  threshold: 'ok' | 'warning' | 'exhausted'
}

/** The decision is left to a person. */
export type LeftInReview = {
  /** The message stays in the review queue. */
  approved: false
  /** Why the automatic check did not approve. `audience_small`: it names fewer than 5 people by the unit's own lists. `category_not_auto`: the category wants a person. `audience_not_subjects`: an event goes to a query. `template_required`, `template_not_approved`. `quota`: it is short. `audience_too_large`: above the category's `autoMaxRecipients`. `content_violation`: the content must be changed. */
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

/** The legal basis for keeping a list of people: the six of GDPR art. 6 (1). */
export type LegalBasis =
  | 'consent'
  | 'contract'
  | 'legal_obligation'
  | 'vital_interests'
  | 'public_task'
  | 'legitimate_interests'

/** The address that may be sent to again. */
export type LiftSuppression = {
  /** The channel of the address. */
  channel: Channel
  /** The address, in any spelling. */
  address: string
  /** Why it may be sent to again, for the audit log: 1 to 1,000 characters. */
  reason: string
}

/** Requests for a tracked link. Programs that check mails and messages follow links too, so that these are not readers. */
export type LinkClicks = {
  /** How often it was followed. */
  total: number
  /** The same by channel. */
  byChannel: Partial<Record<Channel, number>>
  /** The same by the language in which it was sent. */
  byLocale: {
    /** In Chinese. */
    'zh-TW': number
    /** In English. */
    en: number
  }
  /** How many people followed it in their mail, each once. Chat recipients share the same links, so their clicks cannot be attributed. */
  people: number
}

/** A language of messages. */
export type Locale = 'zh-TW' | 'en'

/** A name in both languages, each of at most 200 characters. */
export type LocalisedName = {
  /** Traditional Chinese as written in Taiwan. */
  'zh-TW': string
  /** English. Omitted or empty: readers of English get the Chinese name. */
  en?: string
}

/** A text in the recipient's language: `zh-TW`, and optionally `en`. */
export type LocalisedText = {
  /** Traditional Chinese as written in Taiwan. Always present. */
  'zh-TW': string
  /** English. Omitted or empty: readers of English get the Chinese text. */
  en?: string
}

/** What is known. Each field becomes a variable of the run. */
export type LookupAnswer = Record<string, unknown>

/** The person, and the variables that the node names, by name. */
export type LookupBody = {
  /** The person, by Carillon's subject id: the one that binding an address returned. */
  subject: string
  /** The uid of the person. Only to an endpoint that was registered with `sendUid`. */
  uid?: string
}

/** An endpoint that the scenarios may call. */
export type LookupEndpoint = {
  /** The id of the endpoint, to delete it. */
  id: string
  /** Scheme, host and port that Lookups may call; `*` in place of the port: every one. */
  origin: string
  /** The unit whose scenarios may call it; null: those of every unit. */
  unitId: string | null
  /** The id of the key that signs the calls; null: the first one. */
  keyId: string | null
  /** Whether POST Lookups there send the uid of the person beside the subject id. */
  sendUid: boolean
  /** When it was registered, in UTC. */
  createdAt: string
}

/** One page of endpoints, newest first. */
export type LookupEndpointPage = {
  /** The items of this page. */
  items: Array<LookupEndpoint>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** A node that calls an endpoint of the producer; each field of the answer becomes a variable. */
export type LookupNode = {
  /** The id of the node in its scenario: 1 to 64 letters, digits, _ or -. */
  id: string
  /** Asks an endpoint of the producer. */
  kind: 'lookup'
  /** GET carries the variables in the query, POST in a JSON body. */
  method: 'GET' | 'POST'
  /** The address, of a registered endpoint. It has no variables, no fragment, and nothing in its query that could be read as `person`, `pattern`, `subject`, `answers`, `lookup`, `lookup_error`, `uid`, in any spelling. */
  url: string
  /** The names of the variables to send; none is reserved, such as `subject` or `uid`, in any case. One that has no value is left out. */
  variables: Array<string>
}

/** A picture of a unit, as recipients see it. */
export type Media = {
  /** The id of the picture. */
  id: string
  /** The public URL of the picture, for `url` and `imageUrl` of messages. It cannot be guessed, and its content never changes. */
  url: string
  /** A smaller one, of at most 1,024 pixels a side. */
  previewUrl: string
  /** Its width in pixels. */
  width: number
  /** Its height in pixels. */
  height: number
}

/** Query parameters, such as those of `GET /v1/media`. */
export type MediaListQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
}

/** One page of a unit's pictures, newest first. */
export type MediaPage = {
  /** The items of this page. */
  items: Array<Media>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** One page of a static group's members, by uid. */
export type MemberPage = {
  /** The items of this page. */
  items: Array<{
    /** The uid of the subject. */
    uid: string
    /** When they became a member, in UTC. */
    addedAt: string
  }>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** What has changed, in numbers. */
export type MembersChanged = {
  /** New members. Those who were members already are not counted. */
  added: number
  /** Members who are no longer members. */
  removed: number
  /** Uids of no subject. In a list of lines one that repeats may count more than once. */
  unknownUids: number
}

/** The last answer of one person to one question of the message. */
export type MessageAnswer = {
  /** Carillon's id of the person. It is kept after an erasure, and then identifies no one. */
  subjectId: string
  /** The uid of the person; null if they were erased. */
  uid: string | null
  /** What it answers: the number of the block, in a carousel `<block>.<card>`, counted from 1; a button that mutes or joins a group is a question of its own. The last answer to a question is kept. */
  question: string
  /** The option or button that was chosen: the same as the key in `answers` of the message. */
  optionId: string
  /** The producer's own data of the postback that was chosen; null for any other button. */
  data: {
    /** The version of this form: always 1. */
    v: 1
    /** The producer's own, such as a scenario. Kept and reported, never obeyed. */
    s?: string
    /** The producer's own, such as a node. Kept and reported, never obeyed. */
    n?: string
    /** The id of the option: the key of the answer in `answers` of the message. Omitted: its number. */
    o?: string
    /** The producer's own, such as a message. Kept and reported, never obeyed. */
    m?: string
    /** The producer's own, such as an action. Kept and reported, never obeyed. */
    a?: string
  } | null
  /** Where they answered. */
  channel: Channel
  /** When, in UTC. */
  at: string
}

/** One page of the answers to a message, in the order of subject ids. */
export type MessageAnswerPage = {
  /** The items of this page. */
  items: Array<MessageAnswer>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** Query parameters, such as those of `GET /v1/messages/{id}/answers`. */
export type MessageAnswerQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** Only answers with this option, compared exactly. */
  optionId?: string
  /** Only answers of the person with this uid. */
  uid?: string
  /** Accepted, so that a console can send it with every request, and not used: this operation knows the unit otherwise. */
  unitId?: string
}

/** The content to send. */
export type MessageContent = {
  /** The blocks: before submit those of the producer or the template, where texts and addresses may contain variables; after it the rendered ones. */
  messages: Array<TemplateMessage>
  /** Values of the template's variables, by name; null without a template. */
  variables: Record<string, unknown> | null
  /** The mail subject given beside `messages`; null: none was given, or the content is from a template. `title` is the subject in any case. */
  subject: LocalisedText | null
  /** The entry for the recipients' calendars, as it was given. Omitted: none. */
  calendar?: CalendarEntry
}

/** The delivery of the message to one person on one channel. */
export type MessageDelivery = {
  /** Carillon's id of the person. It is kept after an erasure, and then identifies no one. */
  subjectId: string
  /** The uid of the person; null if they were erased. */
  uid: string | null
  /** Whether it belongs to the reminder; false: to the first send. */
  reminder: boolean
  /** The channel. */
  channel: Channel
  /** The outcome. `unknown`: it may or may not have arrived. `skipped`: it was not tried. */
  state: 'pending' | 'sent' | 'failed' | 'skipped' | 'unknown'
  /** Why it was skipped or failed: a keyword, or a code of the provider; null if there is none. */
  reason: string | null
  /** When the provider was first called, in UTC; for skipped deliveries, when the send started; null: not yet. */
  at: string | null
}

/** One page of a message's deliveries, in the order of subject ids: first the send, then the reminder. */
export type MessageDeliveryPage = {
  /** The items of this page. */
  items: Array<MessageDelivery>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** Query parameters, such as those of `GET /v1/messages/{id}/deliveries`. */
export type MessageDeliveryQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** Only deliveries with these outcomes. May be repeated. Omitted: all. */
  state?:
    | Array<'pending' | 'sent' | 'failed' | 'skipped' | 'unknown'>
    | 'pending'
    | 'sent'
    | 'failed'
    | 'skipped'
    | 'unknown'
  /** Only deliveries with this reason, compared exactly, such as `noConsent`. */
  reason?: string
  /** Only deliveries to the person with this uid. */
  uid?: string
  /** Accepted, so that a console can send it with every request, and not used: this operation knows the unit otherwise. */
  unitId?: string
}

/** A message with its stored dry-run, counts, approvals and timeline. */
export type MessageDetail = {
  /** The id of the message. */
  id: string
  /** Increases with every change. Pass it in If-Match, and to approve and reject what was shown. */
  version: number
  /** The subject of its mail: of the template, the first card or text. The category's name for callers who may not see the text of a personal message. */
  title: LocalisedText
  /** The state of the message. */
  state: MessageState
  /** The producer's own reference; null: none, or a person whom it was about was erased. */
  reference: string | null
  /** Who may see its text: of a `personal` message only its authors and approvers. */
  kind: 'broadcast' | 'personal'
  /** Where it came from: `api`, a producer key; `console`, a person in the console; `event`, a signed event; `schedule`, a schedule. */
  origin: 'api' | 'console' | 'event' | 'schedule'
  /** The unit that sends it. */
  unitId: string
  /** The category of the message. */
  category: {
    /** The id of the category. */
    id: string
    /** Its name, as recipients see it. */
    name: LocalisedText
  }
  /** Who created it. */
  author: Actor
  /** When it was created, in UTC. */
  createdAt: string
  /** When it was last submitted, in UTC; null for a draft. */
  submittedAt: string | null
  /** When to send, in UTC; null: at approval. */
  scheduleAt: string | null
  /** From when on nothing is sent, in UTC; null: never. */
  expiresAt: string | null
  /** The earliest time of the send, in UTC: scheduleAt or, if that is later, the end of the time for which its category holds a message that a person has approved. Until then it can be cancelled. null: as soon as it is approved. */
  startsAt: string | null
  /** When to send the reminder, in UTC; null: none. */
  remindAt: string | null
  /** Its recipients: `all` who received the message, or the `unanswered` of them. null: no reminder. */
  remindTo: 'all' | 'unanswered' | null
  /** From the stored dry-run; null before submit. */
  recipients: {
    /** Subjects who will receive it. */
    total: number
    /** Deliveries by channel. */
    byChannel: Partial<Record<Channel, number>>
  } | null
  /** Counts of the deliveries of the send. In lists omitted until the deliveries are written. */
  stats?: MessageStats
  /** Whether the stored dry-run exceeds the quota of any channel. */
  wouldExceed: boolean
  /** Why a person must review it. Empty if there is no special reason. */
  review: {
    /** Why the automatic check left it to a person. Omitted if it did not run. */
    reason?: string
    /** true: audience or quota changed after an approval; `drift` in the detail says how. */
    drift?: boolean
  }
  /** Why it cannot continue at the moment: `provider` is down or rejects the installation, `unknown_recipients`: the mail server rejects so many recipients that it is not believed, `provider_quota` or `quota` is exhausted, or `internal`: a step keeps failing. It is retried automatically. Omitted: no problem. */
  problem?: 'provider' | 'provider_quota' | 'quota' | 'unknown_recipients' | 'internal'
  /** What the caller may do with it now. */
  allowed: Allowed
  /** How many people chose each option or button: by its own id (`id`, `optionId`, or `o` of a postback), otherwise by its number, counted from 1: `<block>.<option>`, in a carousel `<block>.<card>.<option>`. The last answer to a question counts. Counted as long as answers are kept. null: of a personal message, for callers who may not read who answered it. */
  answers: Record<string, number> | null
  /** Of a message with tracked links: the clicks on each, by its number, counted from 1: `<block>.<action>`, in a carousel `<block>.<card>.<action>`. null: its links are not tracked. */
  clicks: Record<string, LinkClicks> | null
  /** The id of the category. */
  categoryId: string
  /** The id of the topic; null: none. */
  topicId: string | null
  /** The audience as it was given. */
  audience: StoredAudience
  /** The groups on which the audience depends. Empty before submit. */
  audienceGroups: Array<AudienceGroup>
  /** Set while the message waits for review because it changed after its approval. */
  drift: Drift | null
  /** The effective plan: the category's plan, narrowed. */
  channelPlan: ChannelPlan
  /** How the message narrows it; null: not at all. */
  channelPlanOverride: StoredChannelPlanOverride | null
  /** How fast it is sent. Omitted: as fast as the channels take it. */
  pace?: Pace
  /** The template of the content; null if the message has its own. */
  template: {
    /** The id of the template. */
    id: string
    /** Its name. */
    name: string
    /** Its version: before submit the one in force, after it the one that was frozen. */
    version: number
  } | null
  /** What is sent. null if the message is personal and the caller is neither an author nor an approver, or if the retention period of its text has passed. */
  content: MessageContent | null
  /** The dry-run that submit stored; null before submit. */
  snapshot: StoredDryRun | null
  /** The decisions among the newest 200 changes, oldest first. */
  approvals: Array<Approval>
  /** The newest 200 changes, oldest first. */
  timeline: Array<TimelineEntry>
  /** The reminder; null: none. */
  reminder: Reminder | null
  /** Set while the send or the reminder waits for its provider or for quota. */
  parked: Parked | null
  /** Deferred deliveries of the send or the reminder, by channel and reason. */
  retrying: Array<Retrying>
  /** Set if the send ended and reached no one, or missed a tenth or more of at least 20 people: how many it reached, and the reasons for the others. After such a reminder, of the reminder. Otherwise omitted. */
  shortfall?: Shortfall
  /** Since when the message can no longer change, in UTC; null: it still can. */
  closedAt: string | null
}

/** A message in a list: enough to draw a row. */
export type MessageListItem = {
  /** The id of the message. */
  id: string
  /** Increases with every change. Pass it in If-Match, and to approve and reject what was shown. */
  version: number
  /** The subject of its mail: of the template, the first card or text. The category's name for callers who may not see the text of a personal message. */
  title: LocalisedText
  /** The state of the message. */
  state: MessageState
  /** The producer's own reference; null: none, or a person whom it was about was erased. */
  reference: string | null
  /** Who may see its text: of a `personal` message only its authors and approvers. */
  kind: 'broadcast' | 'personal'
  /** Where it came from: `api`, a producer key; `console`, a person in the console; `event`, a signed event; `schedule`, a schedule. */
  origin: 'api' | 'console' | 'event' | 'schedule'
  /** The unit that sends it. */
  unitId: string
  /** The category of the message. */
  category: {
    /** The id of the category. */
    id: string
    /** Its name, as recipients see it. */
    name: LocalisedText
  }
  /** Who created it. */
  author: Actor
  /** When it was created, in UTC. */
  createdAt: string
  /** When it was last submitted, in UTC; null for a draft. */
  submittedAt: string | null
  /** When to send, in UTC; null: at approval. */
  scheduleAt: string | null
  /** From when on nothing is sent, in UTC; null: never. */
  expiresAt: string | null
  /** The earliest time of the send, in UTC: scheduleAt or, if that is later, the end of the time for which its category holds a message that a person has approved. Until then it can be cancelled. null: as soon as it is approved. */
  startsAt: string | null
  /** When to send the reminder, in UTC; null: none. */
  remindAt: string | null
  /** Its recipients: `all` who received the message, or the `unanswered` of them. null: no reminder. */
  remindTo: 'all' | 'unanswered' | null
  /** From the stored dry-run; null before submit. */
  recipients: {
    /** Subjects who will receive it. */
    total: number
    /** Deliveries by channel. */
    byChannel: Partial<Record<Channel, number>>
  } | null
  /** Counts of the deliveries of the send. In lists omitted until the deliveries are written. */
  stats?: MessageStats
  /** Whether the stored dry-run exceeds the quota of any channel. */
  wouldExceed: boolean
  /** Why a person must review it. Empty if there is no special reason. */
  review: {
    /** Why the automatic check left it to a person. Omitted if it did not run. */
    reason?: string
    /** true: audience or quota changed after an approval; `drift` in the detail says how. */
    drift?: boolean
  }
  /** Why it cannot continue at the moment: `provider` is down or rejects the installation, `unknown_recipients`: the mail server rejects so many recipients that it is not believed, `provider_quota` or `quota` is exhausted, or `internal`: a step keeps failing. It is retried automatically. Omitted: no problem. */
  problem?: 'provider' | 'provider_quota' | 'quota' | 'unknown_recipients' | 'internal'
  /** What the caller may do with it now. */
  allowed: Allowed
}

/** Query parameters, such as those of `GET /v1/messages`. */
export type MessageListQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** Only messages in these states. May be repeated. Omitted: all. */
  state?: Array<MessageState> | MessageState
  /** Only messages with this reference, compared exactly. */
  reference?: string
  /** Only messages of this category. */
  categoryId?: string
  /** Only messages of this topic. */
  topicId?: string
  /** Only messages created after this time: ISO 8601 with an offset; write + as %2B. */
  createdAfter?: string
  /** Only messages whose title contains this, among the newest 20,000, or whose id or reference it is. Titles of personal messages only for callers who may see their text. Omitted: all. */
  q?: string
  /** By creation: the newest first, or the oldest. Default: newest. */
  order?: 'newest' | 'oldest'
}

/** A node that sends messages and continues. */
export type MessageNode = {
  /** The id of the node in its scenario: 1 to 64 letters, digits, _ or -. */
  id: string
  /** Sends messages. */
  kind: 'message'
  /** 1 to 5 messages; texts are Liquid over the variables of the run. */
  messages: Array<TemplateMessage>
}

/** One page of a unit's messages. */
export type MessagePage = {
  /** The items of this page. */
  items: Array<MessageListItem>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** The state of a message. `draft`: can be edited. `submitted`: waits for approval. `approved`: waits for its time. `sending`, `paused`. `sent`: the send is over; a reminder may follow. Final: `rejected`, `failed` (nothing arrived and some failed), `cancelled` (before anything was sent), `stopped` (during the send), `expired`. */
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

/** Counts of deliveries of the send or the reminder, and of people in `people`: about a second old while it is being sent, exact once closed. */
export type MessageStats = {
  /** Deliveries that the provider accepted. */
  sent: number
  /** Deliveries that were not tried, by reason, such as noConsent, noAddress, preferenceOff, blocked, frequency, doNotRemind, answered, cancelled, stopped, expired or parked. */
  skipped: Record<string, number>
  /** Deliveries that the provider rejected for good. */
  failed: number
  /** Deliveries that may or may not have arrived: the provider reported no outcome. */
  unknown: number
  /** Deliveries without an outcome so far. */
  pending: number
  /** The same counts by channel. */
  byChannel: Partial<
    Record<
      Channel,
      {
        /** Deliveries that the provider accepted. */
        sent: number
        /** Deliveries that were not tried, by reason, such as noConsent, noAddress, preferenceOff, blocked, frequency, doNotRemind, answered, cancelled, stopped, expired or parked. */
        skipped: Record<string, number>
        /** Deliveries that the provider rejected for good. */
        failed: number
        /** Deliveries that may or may not have arrived: the provider reported no outcome. */
        unknown: number
        /** Deliveries without an outcome so far. */
        pending: number
      }
    >
  >
  /** The same in people, each once, whatever the number of their deliveries. null while a message is sent on several channels at once. */
  people: {
    /** People to whom at least one delivery was sent. */
    reached: number
    /** People without a sent delivery, for whom at least one may have arrived. */
    unknown: number
    /** People for whom every attempted delivery failed. */
    failed: number
    /** People for whom no delivery was attempted. */
    skipped: number
    /** People without an outcome so far. */
    pending: number
  } | null
}

/** The path does not have this method; Allow lists those it has. It has no details. */
export type MethodNotAllowedError = {
  /** Identifies the error. Branch on it. */
  code: 'method_not_allowed'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** Query parameters, such as those of `GET /v1/metrics/trend`. */
export type MetricsQuery = {
  /** The id of the unit. Required for sessions of people in several units, and by default the only unit of the person. A producer key reads its own unit; another one is 404. An empty text counts as omitted. */
  unitId?: string
  /** How many days, 1 to 366, in the time zone of the unit; 30 by default. */
  days?: number
}

/** A required variable of the template is missing; details.variables lists which. */
export type MissingVariableError = {
  /** Identifies the error. Branch on it. */
  code: 'missing_variable'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** Which variables are missing. */
  details: {
    /** The names of all required variables without a value. */
    variables: Array<string>
  }
}

/** What a missing_variable lacks. */
export type MissingVariables = {
  /** The required variables of the template or scenario that are not in `data`. */
  variables: Array<string>
}

/** The state of the message after the call. */
export type MovedMessage = {
  /** The state after the call. */
  state: MessageState
}

/** A button by which the recipient turns a category off, on every channel. It counts as an answer. */
export type MuteAction = {
  /** Turns a category off. */
  kind: 'mute'
  /** What the button says. */
  label: LocalisedText
  /** The id of the category, which must not be mandatory. */
  categoryId: string
}

/** A button of a question of a scenario: its option leads to this node. In a message, the tap is recorded as an answer. */
export type NextNodeAction = {
  /** Leads to a node of the scenario. */
  kind: 'nextNode'
  /** What the button says. */
  label: LocalisedText
  /** The id of the node. */
  nodeId: string
  /** The key of the answer in `answers` of the message; unique in the question. Omitted: its number. */
  optionId?: string
}

/** A node that took its edge for errors, at which the run failed, or of whose answer it could not keep all. */
export type NodeError = {
  /** The id of the node. */
  node: string
  /** Why, such as `missing_variable`, `content_violation` or `no_instant`. Of a Lookup its `lookup_error`: `timeout`, `status`, `shape`, `size`, `network`, or `noConsent`. null: not known any more. */
  reason: string | null
  /** The texts that could not be sent. Empty: another error. */
  faults: Array<TextFault>
  /** The fields of the answer of a Lookup that became null, for `shape`: a number beyond ±(2^53 − 1), or `size`: too large. The run went on with the others. Omitted: another error. */
  fields?: Array<string>
}

/** This chat address is not bound to a subject. It has no details. */
export type NotBoundError = {
  /** Identifies the error. Branch on it. */
  code: 'not_bound'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** This installation lacks the channel or a required setting; its operator can configure it. It has no details. */
export type NotConfiguredError = {
  /** Identifies the error. Branch on it. */
  code: 'not_configured'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** No such resource, or it belongs to another unit. */
export type NotFoundError = {
  /** Identifies the error. Branch on it. */
  code: 'not_found'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** Only if the body refers to what does not exist: where. Omitted if the path does. */
  details?: {
    /** What is wrong, in the order of the request; at most 50. */
    issues: Array<Issue>
  }
}

/** One due time of a schedule, with its outcome. */
export type Occurrence = {
  /** The id of the occurrence. */
  id: string
  /** When it was due, in UTC. */
  dueAt: string
  /** When its outcome was decided, in UTC. */
  at: string
  /** `created`: it created its message or started its runs. `missed`: its time passed; `reason` says why. `refused`: the rights of the caller it acts for do not suffice. `failed`: any other error. */
  outcome: 'created' | 'missed' | 'refused' | 'failed'
  /** Why it was missed: it was too `late`, `superseded` by the next one, or the schedule was `changed` (disabled or given other times) before it was created. null: it was not. */
  reason: 'late' | 'superseded' | 'changed' | null
  /** The message that it made; null: none. */
  messageId: string | null
  /** How many runs it started; null: it starts none. */
  runs: number | null
  /** Why it was refused or failed; null: it was not. */
  error: {
    /** The error code that a call would have got. */
    code: string
    /** What is wrong and what to do, in English. */
    message: string
    /** As the call would have got them, such as `variables` of missing_variable and `violations` of content_violation. Omitted: the error has none. */
    details?: Record<string, unknown>
  } | null
}

/** One page of the occurrences of a schedule, newest first. */
export type OccurrencePage = {
  /** The items of this page. */
  items: Array<Occurrence>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** The variable has one of these values. */
export type OneOfCase = {
  /** The variable has one of these values. */
  kind: 'oneOf'
  /** The variable, or a property of one, such as `order.total`. */
  variable: string
  /** The values, 1 to 100. */
  values: Array<string | number | boolean>
}

/** The person chose this option. */
export type OptionCase = {
  /** The person chose this option. */
  kind: 'option'
  /** The id of the option. */
  optionId: string
}

/** No other edge of the node holds. */
export type OtherwiseCase = {
  /** No other edge of the node holds. */
  kind: 'otherwise'
}

/** The key that called, without its secret, and what it may do. */
export type OwnKey = {
  /** The part of the key between `hub_` and the second underscore. */
  id: string
  /** What it is for, such as the name of a system. */
  name: string
  /** The ids of the only categories it may use; null: all. */
  categories: Array<string> | null
  /** Whether the key may use individual audiences, and small audiences of the unit's own lists, and receive who answered. */
  individualTargeting: boolean
  /** Whether the key may create groups, and change them and their members. */
  groupWriting: boolean
  /** Whether the key may reply to people in handoffs, without anybody approving its words. */
  handoffReply: boolean
  /** The only dimensions of an audience it may use, `all` for audiences of that kind; null: every one. */
  dimensions: Array<string> | null
  /** When it was issued, in UTC. */
  createdAt: string
  /** The unit that it acts for. A key of an `administrative` unit may use the operations of subjects and imports. */
  unit: {
    /** The id of the unit. */
    id: string
    /** Its name. Unique. */
    name: string
    /** Keys of an `administrative` unit may use the Identity API. */
    kind: 'ordinary' | 'administrative'
    /** The IANA time zone of its quiet hours. */
    timeZone: string
  }
  /** How many requests its calls may make; more are 429 `rate_limited`, with `Retry-After`. */
  limits: {
    /** Requests in a second, sustained, to each process of the API. null: this installation does not limit them. */
    perSecond: number | null
    /** Requests at once, after a pause, to each process of the API. null: this installation does not limit them. */
    burst: number | null
    /** Requests in a rolling minute under `/v1/subjects/`, which the two others do not count. null: this installation does not limit them. */
    perMinute: number | null
  }
}

/** How fast the message is sent, and its reminder: so many a minute (`perMinute`), or spread over a time (`overSeconds`). It rests in the quiet hours of the category, and after a pause it goes on at its pace. */
export type Pace = PacePerMinute | PaceOverSeconds

/** A time over which all deliveries are spread, in `overSeconds`. */
export type PaceOverSeconds = {
  /** All of them spread evenly over so many seconds: 60 to 604,800. */
  overSeconds: number
}

/** A number of deliveries a minute, in `perMinute`. */
export type PacePerMinute = {
  /** So many deliveries a minute, over all channels: 1 to 1,000,000. */
  perMinute: number
}

/** Query parameters, such as those of `GET /v1/imports`. */
export type PageQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
}

/** Why a send waits. It continues by itself. */
export type Parked = {
  /** What it waits for. */
  problem: 'provider' | 'provider_quota' | 'quota' | 'unknown_recipients' | 'internal'
  /** Since when, in UTC. */
  since: string
  /** When it is tried again, in UTC. */
  nextProbeAt: string
}

/** Another deadline, more places, or both. */
export type PatchPattern = {
  /** Another deadline; one that has passed closes the pattern. Omitted: unchanged. */
  deadline?: string
  /** The new number of places, not fewer than before; added places go to the waiting list in order. Omitted: unchanged. */
  capacity?: number
}

/** A registration, a survey, or a question whether people come. */
export type Pattern = {
  /** The id of the pattern: the `patternInstanceId` of audiences. */
  id: string
  /** The scenario that was generated, a draft. PUT /v1/scenarios/{id} activates it. */
  scenarioId: string
  /** The unit that it belongs to. */
  unitId: string
  /** What it asks for. */
  type: 'registration' | 'survey' | 'rsvp'
  /** The name of the scenario. */
  name: string
  /** The id of the category of the scenario's messages. */
  categoryId: string
  /** The state of the scenario: `active` can start. */
  scenarioState: 'draft' | 'submitted' | 'active' | 'paused' | 'retired'
  /** What it is about. */
  title: LocalisedText
  /** What people read below the title; null: nothing. */
  description: LocalisedText | null
  /** Until when people may answer, in UTC. */
  deadline: string
  /** Now: `open`, `full` (all places are taken) or `closed` (the deadline has passed). */
  status: 'open' | 'full' | 'closed'
  /** The number of places; null: unlimited. */
  capacity: number | null
  /** The number of places left now; null: unlimited. */
  left: number | null
  /** Whether people may wait for a place. */
  waitingList: boolean
  /** The entry for calendars, as it was given. Omitted: none. */
  calendar?: CalendarEntry
  /** What it was made to ask, with the question that decides. */
  questions: Array<PatternQuestion>
  /** Who made it. */
  createdBy: Actor
  /** When, in UTC. */
  createdAt: string
}

/** Query parameters, such as those of `GET /v1/patterns`. */
export type PatternListQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** Only patterns of this type. May be repeated. Omitted: all. */
  type?: Array<'registration' | 'survey' | 'rsvp'> | 'registration' | 'survey' | 'rsvp'
  /** Only those whose name or title contains this, in either case, or whose id it is. Omitted: all. */
  q?: string
}

/** One answer to choose. */
export type PatternOption = {
  /** The id of the option in its question: 1 to 64 letters, digits, _ or -. */
  id: string
  /** What its button says. */
  label: {
    /** Traditional Chinese as written in Taiwan, 1 to 40 characters. */
    'zh-TW': string
    /** English. Omitted or empty: readers of English get the Chinese text. */
    en?: string
  }
}

/** One page of a unit's patterns, newest first. */
export type PatternPage = {
  /** The items of this page. */
  items: Array<Pattern>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** One question of a pattern. */
export type PatternQuestion = {
  /** The id of the question, and of its node: 1 to 64 letters, digits, _ or -. Ids of nodes that every scenario of this type has are taken. */
  id: string
  /** The question. */
  text: {
    /** Traditional Chinese as written in Taiwan, 1 to 1,000 characters. */
    'zh-TW': string
    /** English. Omitted or empty: readers of English get the Chinese text. */
    en?: string
  }
  /** What can be chosen, 1 to 12. Omitted: any text can be typed. */
  options?: Array<PatternOption>
  /** Whether it must be answered; otherwise it has a button to skip it. Omitted: it must. The first of an rsvp must. */
  required?: boolean
}

/** The numbers about a pattern, which outlive erasure and retention. */
export type PatternReport = {
  /** People who were sent a message whose button starts the scenario, and people whose run was started by others. */
  invited: number
  /** Those of them with a confirmed delivery. */
  reached: number
  /** Those of them who opened the message in the inbox, pressed its button or answered. */
  read: number
  /** People who answered the first question. */
  answered: number
  /** People who have a place; null: a survey has no places. */
  registered: number | null
  /** People on the waiting list, or on it until the deadline; null: a survey has no places. */
  waitlisted: number | null
  /** People who gave up their place, or left the waiting list; null: a survey has no places. */
  withdrawn: number | null
  /** People whose last answer is `no`: they do not take part; null: a survey has no places. */
  declined: number | null
  /** People whose last answer is another option, such as `maybe`; null: a survey has no places. */
  undecided: number | null
  /** By question and option: people whose last answer it is. */
  byOption: Record<string, Record<string, number>>
  /** The share of invited people who reached the end: requested a place or chose another option; for a survey, answered the last question. null: no one was invited. */
  completionRate: number | null
}

/** The body is too large; the message states the limit. It has no details. */
export type PayloadTooLargeError = {
  /** Identifies the error. Branch on it. */
  code: 'payload_too_large'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** A person who can sign in to the console. */
export type Person = {
  /** The id of the person. */
  id: string
  /** Their name, as others in the console see it. */
  name: string
  /** Their e-mail address, as the identity provider knows it. */
  email: string
  /** Whether they are a system administrator. */
  systemAdmin: boolean
  /** The language of the console and of mails to them. */
  language: Locale
  /** Whether they receive approval requests by mail. */
  notices: boolean
  /** Mails about messages that they wrote, edited or submitted. */
  authorNotices: Array<'rejected' | 'approved' | 'parked' | 'failed'>
  /** Whether they receive mails about handoffs opened in their units. */
  handoffNotices: boolean
  /** The uid of the subject who is the same person; null: none. */
  subjectUid: string | null
}

/** One page of people, newest first. */
export type PersonPage = {
  /** The items of this page. */
  items: Array<Person>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** A button that answers. Its data is kept with the answer and has no effect in Carillon. */
export type PostbackAction = {
  /** Records the tap with the data of the producer. */
  kind: 'postback'
  /** What the button says. */
  label: LocalisedText
  /** The producer's own data, returned in callbacks of type `message.answered`. */
  data: {
    /** The version of this form: always 1. */
    v: 1
    /** The producer's own, such as a scenario. Kept and reported, never obeyed. */
    s?: string
    /** The producer's own, such as a node. Kept and reported, never obeyed. */
    n?: string
    /** The id of the option: the key of the answer in `answers` of the message. Omitted: its number. */
    o?: string
    /** The producer's own, such as a message. Kept and reported, never obeyed. */
    m?: string
    /** The producer's own, such as an action. Kept and reported, never obeyed. */
    a?: string
  }
}

/** A person switched categories or topics off or on, or chose another language. */
export type PreferenceChangedEvent = {
  /** The type of event. */
  type: 'preference.changed'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** What was switched, and to what. */
  data: {
    /** The unit that has the callback. */
    unitId: string
    /** The person, by Carillon's subject id. */
    subjectId: string
    /** The uid of the same person. */
    uid: string
    /** The categories that were switched, by channel: true is on. For administrative units alone. */
    categories: Record<string, Partial<Record<Channel, boolean>>>
    /** The topics that were switched: true is on. */
    topics: Record<string, boolean>
    /** The new language. Omitted: unchanged. */
    language?: Locale
  }
}

/** A recipient's language, and the categories and topics that they receive. */
export type Preferences = {
  /** The language of messages to the recipient. */
  language: Locale
  /** Every enabled category, by id. */
  categories: Record<
    string,
    {
      /** Whether they receive it in the chat. */
      chat: boolean
      /** Whether they receive it by mail. */
      email: boolean
      /** Whether the category is mandatory and cannot be turned off. */
      mandatory: boolean
      /** Whether the category requires a consent that they have not given. They then receive none of its messages, regardless of the choices here. The Identity API records consents. */
      needsConsent: boolean
    }
  >
  /** Active topics of units that have written to the recipient, and those switched off, by id; false: unsubscribed. */
  topics: Record<string, boolean>
  /** The names of the same categories and topics, for people to read. */
  names: {
    /** Of the categories, by id. */
    categories: Record<string, LocalisedText>
    /** Of the topics, by id. */
    topics: Record<string, LocalisedText>
  }
}

/** What a recipient sees in one language on one channel. */
export type Preview = ChatPreview | EmailPreview

/** The language and channel to preview. */
export type PreviewMessage = {
  /** The recipient's language. Default: zh-TW. */
  locale?: Locale
  /** The channel to preview: one of the message's plan. */
  channel: Channel
}

/** Example values, and the language and channel to preview. */
export type PreviewTemplate = {
  /** The recipient's language. Default: zh-TW. */
  locale?: Locale
  /** The channel to preview: one of the plan of the template's category. */
  channel: Channel
  /** The values of variables, by name. One that is required and has none here shows its own name. */
  variables?: Record<string, unknown>
}

/** The process is alive, or ready. */
export type Probe = {
  /** Always ok: the status of the response tells the rest. */
  status: 'ok'
}

/** A producer key, without its secret. Its rights cannot change. */
export type ProducerKey = {
  /** The part of the key between `hub_` and the second underscore. */
  id: string
  /** The unit that it acts for. */
  unitId: string
  /** What it is for, such as the name of a system. */
  name: string
  /** The ids of the only categories it may use; null: all. */
  categories: Array<string> | null
  /** Whether the key may use individual audiences, and small audiences of the unit's own lists, and receive who answered. */
  individualTargeting: boolean
  /** Whether the key may create groups, and change them and their members. */
  groupWriting: boolean
  /** Whether the key may reply to people in handoffs, without anybody approving its words. */
  handoffReply: boolean
  /** The only dimensions of an audience it may use, `all` for audiences of that kind; null: every one. */
  dimensions: Array<string> | null
  /** When it was issued, in UTC. */
  createdAt: string
  /** When it was revoked, in UTC; null: it is active. */
  revokedAt: string | null
}

/** One page of keys, newest first. */
export type ProducerKeyPage = {
  /** The items of this page. */
  items: Array<ProducerKey>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** The provider rejected the request. It has no details. */
export type ProviderError = {
  /** Identifies the error. Branch on it. */
  code: 'provider'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** The whole content of a scenario, the state it should have, or both. With content, an optional field of it that is omitted is removed, or has its default; without content, the content is unchanged. */
export type PutScenario = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** Its name, for people of the unit: 1 to 200 characters. */
  name?: string
  /** The id of the category of its messages, from GET /v1/categories. */
  categoryId?: string
  /** Its purpose, for approvers. */
  description?: string
  /** Triggers that start it. Omitted: none. Each can belong to one scenario of the installation. */
  triggers?: ScenarioTriggers
  /** How long a turn may be delayed by a provider or by quota before it is skipped; pauses and quiet hours do not count. Default: 86,400, a day. */
  lateSeconds?: number
  /** The text sent to people whose runs end because the scenario is retired, without variables. Omitted: none. */
  farewell?: LocalisedText
  /** The steps, 1 to 200. The first is the start. At most 100,000 characters in all texts together. */
  nodes?: Array<ScenarioNode>
  /** The ways between them, at most 400. They form no circle. */
  edges?: Array<ScenarioEdge>
  /** The variables of a start, at most 200. Lookups and answers may bring others, which need not be declared. */
  variables?: Array<GivenVariable>
  /** `active`: requests activation of the newest version; without content, in a pause: only ends the pause. `paused`: no runs start, and open runs hold their turns. `retired`: permanent end. Omitted: unchanged. */
  state?: 'active' | 'paused' | 'retired'
}

/** Subjects by at least one dimension, except those in `exclude`. A subject must match every dimension that is given, each by any of its values. An empty list counts as omitted, and repeated values are dropped. Each list has at most 1,000 values, groups 50. */
export type QueryAudience = {
  /** Selects subjects by dimensions. */
  kind: 'query'
  /** By role in the institution. */
  roles?: Array<SubjectRole>
  /** By how far the relation has come. */
  stages?: Array<Stage>
  /** By organisational unit, as in the profile. Compared exactly. */
  orgUnits?: Array<string>
  /** By class, as in the profile. Compared exactly. */
  classIds?: Array<string>
  /** By the id of a group of the unit, at most 50. Unknown ones match no one. */
  groups?: Array<string>
  /** By tag, such as `interest:music`. Compared exactly. */
  tags?: Array<string>
  /** By what they received or did before. */
  history?: Array<HistoryEntry>
  /** The subjects to leave out of those selected. */
  exclude?: AudienceDimensions
}

/** A node that asks and waits for one answer. */
export type QuestionNode = {
  /** The id of the node in its scenario: 1 to 64 letters, digits, _ or -. */
  id: string
  /** Asks, and waits for the answer. */
  kind: 'question'
  /** The question. What has an id in it is an option. */
  message: TemplateMessage
  /** How long it waits, in seconds from when the question was sent. */
  timeoutSeconds: number
  /** The variable that gets the id of the option, or the typed text. */
  saveAs?: string
}

/** A question with short answers. In the chat they disappear once one is chosen; in mail they stay. */
export type QuickReplyMessage = {
  /** A question with short answers. */
  kind: 'quickReply'
  /** The question. */
  text: LocalisedText
  /** The answers to choose from, 1 to 13. */
  options: Array<{
    /** The key of the answer in `answers` of the message; unique in the question. */
    id: string
    /** What the option says. */
    label: LocalisedText
  }>
}

/** The quota of a unit or the pool on one channel in one month, in pushes. */
export type QuotaAccount = {
  /** A unit id, or `pool`, which all units share. */
  scope: 'pool' | string
  /** The channel. */
  channel: Channel
  /** The month, yyyy-mm, in the installation's time zone of quota. */
  month: string
  /** The limit that each new month starts with. */
  defaultLimit: number
  /** The limit of this month. */
  limit: number
  /** Reserved for approved messages that are not finished. */
  reserved: number
  /** Used by sends. */
  committed: number
  /** How much of the limit is used: `ok`; `warning` from 80 % on; `exhausted`. */
  threshold: 'ok' | 'warning' | 'exhausted'
}

/** All accounts, one for each channel. */
export type QuotaAccountPage = {
  /** The items of this page. */
  items: Array<QuotaAccount>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** The remaining quota of the month does not cover this. */
export type QuotaExceededError = {
  /** Identifies the error. Branch on it. */
  code: 'quota_exceeded'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** How much quota is missing. */
  details: {
    /** The channel whose quota is short. */
    channel: Channel
    /** How many pushes are missing from unit and pool together. */
    short: number
  }
}

/** What the message costs on one channel, and what is left there. */
export type QuotaForecast = {
  /** Pushes for the send: recipients times provider calls. The cost of a reminder is in `reminder`. */
  estimatedPushes: number
  /** What is left of the unit's own quota in the month of the send, in pushes. */
  unitRemaining: number
  /** What is left of the pool that all units share, in pushes. */
  poolRemaining: number
  /** Pushes for one recipient: the provider calls that the content needs. */
  pushesPerPerson: number
  /** Whether unit and pool together cannot cover the send, including its reminder. */
  wouldExceed: boolean
}

/** What a message reserves. */
export type QuotaHold = {
  /** The message that reserves them. */
  messageId: string
  /** Its title; the category's name for callers who may not see the text of a personal message. */
  title: LocalisedText
  /** Whether they are for the send or for its reminder. */
  wave: 'first' | 'reminder'
  /** When it is to be sent, in UTC; null: as soon as it can be. */
  sendAt: string | null
  /** How many. */
  pushes: number
}

/** Too many requests; retry after the number of seconds in Retry-After. It has no details. */
export type RateLimitedError = {
  /** Identifies the error. Branch on it. */
  code: 'rate_limited'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** Subjects who received, or may have received, a message. */
export type ReceivedHistory = {
  /** Selects those whom a message reached. */
  kind: 'received'
  /** The id of a message of the unit. */
  messageId: string
}

/** Counts of subjects: `total`, all `excluded` and `frequency` together are the subjects that the audience matches. */
export type Recipients = {
  /** Subjects who will receive the message. */
  total: number
  /** Deliveries by channel. A subject may have one on each. */
  byChannel: Partial<Record<Channel, number>>
  /** The same subjects by the language in which they read. */
  byLocale: Partial<Record<Locale, number>>
  /** Subjects who receive nothing on any channel, each counted once, by reason. */
  excluded: {
    /** Without an active consent for the category's scope. */
    noConsent: number
    /** Without an address that can be sent to. */
    noAddress: number
    /** Subjects who have turned the category off or unsubscribed from the topic. */
    preferenceOff: number
    /** Subjects who have blocked the account, or whose address is suppressed. */
    blocked: number
  }
  /** Subjects excluded on a channel of the plan, by reason, whether or not another channel reaches them. */
  excludedByChannel: Partial<
    Record<
      Channel,
      {
        /** Without an active consent for the category's scope. */
        noConsent: number
        /** Without an address that can be sent to. */
        noAddress: number
        /** Subjects who have turned the category off or unsubscribed from the topic. */
        preferenceOff: number
        /** Subjects who have blocked the account, or whose address is suppressed. */
        blocked: number
      }
    >
  >
  /** Uids of the audience that belong to no subject. */
  unknownUids: number
  /** Subjects who have reached the frequency cap. Only if the category has one. */
  frequency?: number
}

/** The event is recorded, created no message and started no run. */
export type RecordedError = {
  /** Why no message was created and no run started. */
  error: EventError
  /** The same in words, with what to do next. */
  message: string
  /** What to mend, of missing_variable, content_violation and invalid_event. Omitted for other errors. */
  details?: EventErrorDetails
  /** The id of the event, as it was sent; null: it has none that can be read. */
  eventId: string | null
  /** Whether the outcome is that of an earlier request. */
  duplicate: boolean
  /** `true` if this event differs from the one recorded under its id: the recorded outcome is returned, and nothing of this one was kept. Send a correction under an id of its own. Omitted if it does not differ. */
  differs?: true
  /** How many of its uids belong to no subject; 0 also once its data is deleted. */
  unknownUids: number
}

/** A recorded event with its outcome. Never its data or the uids that it names. */
export type RecordedEvent = {
  /** Carillon's id of the recorded event, for these paths. */
  id: string
  /** The system that it came from. */
  source: string
  /** The id that the source gave it; null: it has none that can be read. */
  eventId: string | null
  /** What happened; null: it has no type that can be read. */
  type: string | null
  /** When it happened, as its source says, in UTC; null: it has no time that can be read. */
  occurredAt: string | null
  /** When it was last sent with a new signature and recorded, in UTC. */
  receivedAt: string
  /** The id of the signing key. */
  keyId: string
  /** How many uids it names, known or not; 0 once its data is deleted. */
  subjectCount: number
  /** The first names in its data that are no variable of the template or scenario of its binding, as it is now: perhaps misspelt. [] also once its data is deleted. */
  unusedVariables: Array<string>
  /** What to know of the message that it created: `host_from_values`, a value brings the address of a host; `invisible_dropped`, a value had invisible characters; and the others of a dry-run. */
  warnings: Array<Violation>
  /** The message that it created; null: none, or not yet. */
  messageId: string | null
  /** How many runs of a scenario it started; null: its binding starts none, or not yet. */
  runs: number | null
  /** Why it made nothing. null with messageId and runs null: it is being processed. */
  error: EventError | null
  /** What to mend, of missing_variable, content_violation and invalid_event; else null. */
  details: EventErrorDetails | null
}

/** Query parameters, such as those of `GET /v1/recorded-events`. */
export type RecordedEventListQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit. Required for sessions of people in several units; not used for producer keys. */
  unitId?: string
  /** Only events of this source. */
  source?: string
  /** Only events of this type. */
  type?: string
  /** Only events that made nothing, for this reason. */
  error?: EventError
  /** Only the event to which its source gave this id. */
  eventId?: string
  /** Only the event that created this message. */
  messageId?: string
}

/** One page of a unit's recorded events; the event recorded first is the last. */
export type RecordedEventPage = {
  /** The items of this page. */
  items: Array<RecordedEvent>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** A node that registers the person with the pattern of the scenario. */
export type RegisterNode = {
  /** The id of the node in its scenario: 1 to 64 letters, digits, _ or -. */
  id: string
  /** Registers the person. */
  kind: 'register'
  /** Gives the place up instead of taking one. */
  withdraw?: true
  /** The messages to people on the waiting list. Omitted: no waiting list; the result is `full`. */
  waitingList?: {
    /** 1 to 5 messages; texts are Liquid over the variables of the run. */
    messages: Array<TemplateMessage>
  }
}

/** Subjects who have a place in a pattern of the unit. Other patterns match no one. */
export type RegisteredHistory = {
  /** Selects people with a place. */
  kind: 'registered'
  /** The id of the pattern they registered for. */
  patternInstanceId: string
}

/** A person's state in a pattern. */
export type Registration = {
  /** The position in the order in which people asked, counted from 1. */
  position: number
  /** `registered`: has a place. `waitlisted`: waits for one. `withdrawn`: has given it up. `not_admitted`: waited until the deadline. */
  state: 'registered' | 'waitlisted' | 'withdrawn' | 'not_admitted'
  /** The person; null if they were erased, or it is past retention. */
  subjectId: string | null
  /** Their uid; null as `subjectId`. */
  uid: string | null
  /** The run by which they asked last. */
  runId: string | null
  /** Since when the state holds, in UTC. */
  at: string
}

/** A person's place in a pattern changed. */
export type RegistrationChangedEvent = {
  /** The type of event. */
  type: 'registration.changed'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** The registration after the change. */
  data: {
    /** The unit of the scenario and of the callback. */
    unitId: string
    /** The run by which the person asked last. */
    runId: string
    /** The person, by Carillon's subject id. */
    subjectId: string
    /** The uid of the same person. */
    uid: string
    /** The pattern. */
    patternId: string
    /** Where the person stands now, as in the registrations of the pattern. */
    state: 'registered' | 'waitlisted' | 'withdrawn' | 'not_admitted'
    /** Their position in the order in which people asked, counted from 1. */
    position: number
  }
}

/** One page of the participants of a pattern, in the order of their requests. */
export type RegistrationPage = {
  /** The items of this page. */
  items: Array<Registration>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** Query parameters, such as those of `GET /v1/patterns/{id}/registrations`. */
export type RegistrationQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** Only people in these states. May be repeated. Omitted: all. */
  state?:
    | Array<'registered' | 'waitlisted' | 'withdrawn' | 'not_admitted'>
    | 'registered'
    | 'waitlisted'
    | 'withdrawn'
    | 'not_admitted'
  /** Accepted, so that a console can send it with every request, and not used: this operation knows the unit otherwise. */
  unitId?: string
}

/** Why the version is rejected. */
export type RejectEventBinding = {
  /** Why, shown with the version: 1 to 1,000 characters. */
  reason: string
  /** The version that was shown: 409 invalid_transition if it is not the one that waits. Omitted: the one that waits. */
  version?: number
}

/** Why the message is rejected. */
export type RejectMessage = {
  /** Why, for the author: 1 to 1,000 characters. */
  reason: string
  /** The `version` of the detail that was shown: 409 invalid_transition if content or numbers have changed since. Omitted: whatever is current. */
  version?: number
}

/** Why the version is rejected. */
export type RejectScenario = {
  /** Why, for the author: 1 to 1,000 characters. */
  reason: string
  /** The version that was shown: 409 invalid_transition if it is not the one that waits. */
  version: number
}

/** Why the version is rejected. */
export type RejectTemplate = {
  /** Why, for the author: 1 to 1,000 characters. */
  reason: string
  /** The version that was shown: 409 invalid_transition if there is a newer one. Omitted: the newest. */
  version?: number
}

/** A rejected line and the reason, without its content. */
export type RejectedLine = {
  /** The number of the line in the file, counted from 1, the header included. */
  line: number
  /** The column or field that is wrong; null: the line as a whole. */
  column: string | null
  /** What it must be, in English. Never repeats the value. */
  reason: string
}

/** One page of an import's rejected lines, in the order of the file. */
export type RejectedLinePage = {
  /** The items of this page. */
  items: Array<RejectedLine>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** remindAt must be earlier than expiresAt; details.issues has the path. */
export type RemindAfterExpiryError = {
  /** Identifies the error. Branch on it. */
  code: 'remind_after_expiry'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** What is wrong with the request, and where. */
  details: {
    /** What is wrong, in the order of the request; at most 50. */
    issues: Array<Issue>
  }
}

/** remindAt must be later than the send time; details.issues has the path. */
export type RemindBeforeSendError = {
  /** Identifies the error. Branch on it. */
  code: 'remind_before_send'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** What is wrong with the request, and where. */
  details: {
    /** What is wrong, in the order of the request; at most 50. */
    issues: Array<Issue>
  }
}

/** The second send of the same content, to recipients of the first who have not declined it. */
export type Reminder = {
  /** When it is sent, in UTC. */
  at: string
  /** Its state; null until the message is approved. `missed`: the approval came after its time. */
  state: 'waiting' | 'sending' | 'paused' | 'sent' | 'cancelled' | 'stopped' | 'expired' | 'missed' | null
  /** Counts of its deliveries. Omitted until they are written. */
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

/** A reply of the unit. */
export type ReplyInHandoff = {
  /** The reply, 1 to 5 messages. Buttons may only be links, because people answer by writing. At most 100,000 characters in all texts together. */
  messages: Array<CanonicalMessage>
}

/** The subject ids whose uids are asked for. */
export type ResolveSubjects = {
  /** Subject ids of Lookups and callbacks, 1 to 1,000; each is answered once. */
  ids: Array<string>
}

/** The uids of subjects. */
export type ResolvedSubjects = {
  /** Those that are known, in no order. Absent, and not told apart: ids of nobody, of erased people, and those that this unit has not been given. */
  items: Array<SubjectRef>
}

/** The registration ended like this. */
export type ResultCase = {
  /** The registration ended like this. */
  kind: 'result'
  /** How it ended. */
  result: 'registered' | 'full' | 'closed' | 'withdrawn'
}

/** Whether to try again, or to give up on the remaining recipients. */
export type RetryMessage = {
  /** true: the remaining recipients are skipped with the reason `parked`, and the message finishes. Default: false. */
  skip?: boolean
}

/** The provider is temporarily unavailable; try again. It has no details. */
export type RetryableError = {
  /** Identifies the error. Branch on it. */
  code: 'retryable'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** Deferred deliveries of one channel and reason. They are retried while the others continue. */
export type Retrying = {
  /** The channel of the deliveries. */
  channel: Channel
  /** The reason, such as `greylisted`, `throttled` or `http_500`. */
  reason: string
  /** The number of deliveries. */
  deliveries: number
  /** How often the one that was deferred most often was deferred. */
  tries: number
  /** Since when the first of them is deferred, in UTC. */
  since: string
  /** When the first of them is tried again, in UTC. */
  nextTryAt: string
}

/** The consent to withdraw. May be the body that recorded it. */
export type RevokeConsent = {
  /** The scope to withdraw. Here or in the query; if in both, the same. */
  scope?: string
  /** Accepted and not used: a consent is withdrawn as a whole. */
  version?: string
  /** Accepted and not used. */
  source?: string
}

/** No consent for the scope is active. */
export type RevokedConsent = {
  /** The scope of which no consent is active now. */
  scope: string
  /** When it was withdrawn, in UTC; null if there never was one. */
  withdrawnAt: string | null
}

/** The new secret of a callback. */
export type RotatedCallback = {
  /** `whsec_…`, for the verification of requests. Returned only in this response: store it safely. */
  secret: string
  /** Until then, in UTC, requests are also signed with the previous secret. */
  oldSecretExpiresAt: string
}

/** A person answered a question of a scenario. */
export type RunAnsweredEvent = {
  /** The type of event. */
  type: 'run.answered'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** Who answered what. The first answer to each question counts. */
  data: {
    /** The run. */
    runId: string
    /** Its scenario. */
    scenarioId: string
    /** The version of the scenario that it follows. */
    version: number
    /** The unit of the scenario and of the callback. */
    unitId: string
    /** Who answered, by Carillon's subject id. */
    subjectId: string
    /** The uid of the same person. */
    uid: string
    /** The id of the question. */
    node: string
    /** The option that was chosen; null: a typed text, which GET /v1/runs/{id} has. */
    optionId: string | null
    /** The producer's own data of the postback that was tapped; null for any other answer. */
    data: {
      /** The version of this form: always 1. */
      v: 1
      /** The producer's own, such as a scenario. Kept and reported, never obeyed. */
      s?: string
      /** The producer's own, such as a node. Kept and reported, never obeyed. */
      n?: string
      /** The id of the option: the key of the answer in `answers` of the message. Omitted: its number. */
      o?: string
      /** The producer's own, such as a message. Kept and reported, never obeyed. */
      m?: string
      /** The producer's own, such as an action. Kept and reported, never obeyed. */
      a?: string
    } | null
  }
}

/** A run of a scenario is over. */
export type RunEndedEvent = {
  /** The type of event. */
  type: 'run.ended'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** Which run ended, and how. */
  data: {
    /** The run. */
    runId: string
    /** Its scenario. */
    scenarioId: string
    /** The version of the scenario that it follows. */
    version: number
    /** The unit of the scenario and of the callback. */
    unitId: string
    /** How it ended. */
    state: 'done' | 'cancelled' | 'failed'
    /** Why, as `reason` of the run; null: it is done. */
    reason: string | null
  }
}

/** A handoff that a node of a run has opened. */
export type RunHandoff = {
  /** The id of the handoff, whose conversation GET /v1/handoffs/{id} shows. */
  id: string
  /** The id of the node. */
  node: string
  /** `open`: the run waits for it. */
  state: 'open' | 'closed'
  /** When the node was entered, in UTC. */
  openedAt: string
  /** When it was closed, in UTC; null: it is open. */
  closedAt: string | null
}

/** A node on the path of a run. */
export type RunStep = {
  /** The id of the node. */
  node: string
  /** When the run entered it, in UTC. */
  enteredAt: string
  /** When it left, in UTC; null: it is there, or ended there, or went on by an answer that the caller may not read. */
  leftAt: string | null
  /** How it left: the JSON of the case of the edge, `plain` for an edge without one, `nextNode` for a button that names the next node; null as `leftAt`. */
  edge: string | null
  /** The id of the next node; null as `leftAt`. */
  to: string | null
}

/** How runs go through a scenario, in counts, which outlive erasure and retention. */
export type RunSummary = {
  /** The versions that have had runs, newest first. */
  versions: Array<{
    /** The version. */
    version: number
    /** The counts by node. Nodes that no run has entered are omitted. */
    nodes: Record<
      string,
      {
        /** Open runs that are at the node now. */
        here: number
        /** Runs that have entered it. */
        entered: number
        /** Runs that have left it, by edge: the JSON of its case, `plain`, or `nextNode`. The others are there, or ended there. */
        left: Record<string, number>
      }
    >
  }>
}

/** Query parameters, such as those of `GET /v1/scenarios/{id}/runs/summary`. */
export type RunSummaryQuery = {
  /** Only this version. Omitted: all. */
  version?: number
  /** Accepted, so that a console can send it with every request, and not used: this operation knows the unit otherwise. */
  unitId?: string
}

/** The messages that a run sends together. */
export type RunTurn = {
  /** Its number in the run, from 1. */
  number: number
  /** The id of the first node in it; `(farewell)`: the farewell of the retired scenario; `(failure)`: that it cannot go on. */
  firstNode: string
  /** The id of the last node in it; as `firstNode`. */
  lastNode: string
  /** `unknown`: it may or may not have arrived. `skipped`: it was not tried. */
  state: 'pending' | 'sent' | 'skipped' | 'failed' | 'unknown'
  /** Why it was skipped or failed; null if there is no reason. */
  reason: string | null
  /** The channel; null: not tried yet. */
  channel: Channel | null
  /** `reply`: free, to what the person did. `push`, `mail`: paid. null: not tried yet. */
  by: 'reply' | 'push' | 'mail' | null
  /** When the run created it, in UTC. */
  createdAt: string
  /** When it was first tried, in UTC; null: not yet. */
  firstTryAt: string | null
  /** For a delayed turn, the earliest time of the next try, in UTC; otherwise null. */
  nextTryAt: string | null
  /** When its outcome was certain, in UTC; null: it is pending. */
  closedAt: string | null
  /** The messages, node by node; null: erased, or past retention. Only for callers who may read personal data. */
  says?: Array<{
    /** The id of the node; `(farewell)` and `(failure)` as in `firstNode`. */
    node: string
    /** What it says. */
    messages: Array<CanonicalMessage>
  }> | null
}

/** A scenario with its newest version. */
export type Scenario = {
  /** The id of the scenario. */
  id: string
  /** The unit that it belongs to. */
  unitId: string
  /** `draft`: no version has been in force. `submitted`: the newest version waits for an approver; the one in force, if any, continues. `active`: runs can start. `paused`: no runs start, and open runs hold their turns. `retired`: ended. */
  state: 'draft' | 'submitted' | 'active' | 'paused' | 'retired'
  /** Whether it can start now: a version is in force, its category is enabled, and it is neither paused nor retired. */
  canStart: boolean
  /** Whether it is paused, also while a newer version waits (`state: submitted`). */
  paused: boolean
  /** The version that new runs follow; null: none. */
  inForce: number | null
  /** The number of the version, counted from 1. */
  version: number
  /** `draft`: written. `submitted`: waits for an approver. `in_force`: new runs follow it. `replaced`: a newer version has taken its place. `rejected`: by an approver. */
  versionState: 'draft' | 'submitted' | 'in_force' | 'replaced' | 'rejected'
  /** Whether it came in force without a person’s approval; it then has no triggers and no mass starts. */
  autoApproved: boolean
  /** Its name, for people of the unit. */
  name: string
  /** The id of the category of its messages. */
  categoryId: string
  /** Who wrote this version, and cannot approve it. */
  author: Actor
  /** When this version was written, in UTC. */
  createdAt: string
  /** When its activation was asked for, in UTC; null: not yet. */
  submittedAt: string | null
  /** While it waits: why a person decides about it. null: it does not wait. */
  reason: 'category_not_auto' | 'has_triggers' | null
  /** The decision about it; null: none yet. */
  decision: Decision | null
  /** Its purpose, for approvers. */
  description?: string
  /** The variables of a start. */
  variables: Array<TemplateVariable>
  /** Triggers that start it. Omitted: none. Each can belong to one scenario of the installation. */
  triggers?: ScenarioTriggers
  /** How long a turn may be delayed by a provider or by quota before it is skipped; pauses and quiet hours do not count. Default: 86,400, a day. */
  lateSeconds?: number
  /** The text sent to people whose runs end because the scenario is retired, without variables. Omitted: none. */
  farewell?: LocalisedText
  /** The steps, 1 to 200. The first is the start. */
  nodes: Array<ScenarioNode>
  /** The ways between them, at most 400. They form no circle. */
  edges: Array<ScenarioEdge>
  /** What may surprise its author: questions that cannot be answered by mail, options with a word that leaves a conversation, ways to scenarios that are not active, circles of jumps, names in texts that have no value. Paths begin at `nodes`. */
  warnings: Array<Violation>
  /** The maximum cost of one start of this version, with the current versions of scenarios it jumps to. */
  cost: StartCost
  /** The newest start of 20 conversations or more, within 30 days, that failed with a tenth of its people or more, or reached no one. Omitted: there is none. */
  shortStart?: ShortStart
  /** What the caller may decide about the newest version now. */
  allowed: Decisions
}

/** The answer of one person to one question of a run. */
export type ScenarioAnswer = {
  /** The run. */
  runId: string
  /** The version of the scenario that the run follows. */
  version: number
  /** Carillon's id of the person. */
  subjectId: string
  /** Their uid. */
  uid: string
  /** The id of the question. */
  node: string
  /** The id of the option; null: a typed text. */
  optionId: string | null
  /** The typed text; null: an option. */
  text: string | null
  /** The producer's own data of the postback that was tapped; null for any other answer. */
  data: {
    /** The version of this form: always 1. */
    v: 1
    /** The producer's own, such as a scenario. Kept and reported, never obeyed. */
    s?: string
    /** The producer's own, such as a node. Kept and reported, never obeyed. */
    n?: string
    /** The id of the option: the key of the answer in `answers` of the message. Omitted: its number. */
    o?: string
    /** The producer's own, such as a message. Kept and reported, never obeyed. */
    m?: string
    /** The producer's own, such as an action. Kept and reported, never obeyed. */
    a?: string
  } | null
  /** When it was taken, in UTC. */
  at: string
}

/** One page of the answers to a scenario, newest runs first. */
export type ScenarioAnswerPage = {
  /** The items of this page. */
  items: Array<ScenarioAnswer>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** Query parameters, such as those of `GET /v1/scenarios/{id}/answers`. */
export type ScenarioAnswerQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** Only answers to this question. */
  node?: string
  /** Only answers with this option, compared exactly. */
  optionId?: string
  /** Only answers in runs of this version. */
  version?: number
  /** Only answers of the person with this uid. */
  uid?: string
  /** Accepted, so that a console can send it with every request, and not used: this operation knows the unit otherwise. */
  unitId?: string
}

/** A way from one node to the next. */
export type ScenarioEdge = {
  /** The id of the node that it leaves. */
  from: string
  /** The id of the node that it leads to. */
  to: string
  /** The case in which it is followed. Omitted: when the node is done. */
  when?: EdgeCase
}

/** A scenario in a list, with the content of its newest version unless `fields=summary` leaves it out. */
export type ScenarioItem = {
  /** The id of the scenario. */
  id: string
  /** The unit that it belongs to. */
  unitId: string
  /** `draft`: no version has been in force. `submitted`: the newest version waits for an approver; the one in force, if any, continues. `active`: runs can start. `paused`: no runs start, and open runs hold their turns. `retired`: ended. */
  state: 'draft' | 'submitted' | 'active' | 'paused' | 'retired'
  /** Whether it can start now: a version is in force, its category is enabled, and it is neither paused nor retired. */
  canStart: boolean
  /** Whether it is paused, also while a newer version waits (`state: submitted`). */
  paused: boolean
  /** The version that new runs follow; null: none. */
  inForce: number | null
  /** The number of the version, counted from 1. */
  version: number
  /** `draft`: written. `submitted`: waits for an approver. `in_force`: new runs follow it. `replaced`: a newer version has taken its place. `rejected`: by an approver. */
  versionState: 'draft' | 'submitted' | 'in_force' | 'replaced' | 'rejected'
  /** Whether it came in force without a person’s approval; it then has no triggers and no mass starts. */
  autoApproved: boolean
  /** Its name, for people of the unit. */
  name: string
  /** The id of the category of its messages. */
  categoryId: string
  /** Who wrote this version, and cannot approve it. */
  author: Actor
  /** When this version was written, in UTC. */
  createdAt: string
  /** When its activation was asked for, in UTC; null: not yet. */
  submittedAt: string | null
  /** While it waits: why a person decides about it. null: it does not wait. */
  reason: 'category_not_auto' | 'has_triggers' | null
  /** The decision about it; null: none yet. */
  decision: Decision | null
  /** Its purpose, for approvers. */
  description?: string
  /** The variables of a start. */
  variables?: Array<TemplateVariable>
  /** Triggers that start it. Omitted: none. Each can belong to one scenario of the installation. */
  triggers?: ScenarioTriggers
  /** How long a turn may be delayed by a provider or by quota before it is skipped; pauses and quiet hours do not count. Default: 86,400, a day. */
  lateSeconds?: number
  /** The text sent to people whose runs end because the scenario is retired, without variables. Omitted: none. */
  farewell?: LocalisedText
  /** The steps, 1 to 200. The first is the start. */
  nodes?: Array<ScenarioNode>
  /** The ways between them, at most 400. They form no circle. */
  edges?: Array<ScenarioEdge>
  /** What the caller may decide about the newest version now. */
  allowed: Decisions
}

/** Query parameters, such as those of `GET /v1/scenarios`. */
export type ScenarioListQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** Only scenarios in this state. May be repeated. Omitted: all. */
  state?:
    | Array<'draft' | 'submitted' | 'active' | 'paused' | 'retired'>
    | 'draft'
    | 'submitted'
    | 'active'
    | 'paused'
    | 'retired'
  /** Only scenarios whose newest version has this category. */
  categoryId?: string
  /** Only those whose name or title contains this, in either case, or whose id it is. Omitted: all. */
  q?: string
  /** Leaves out the content: nodes, edges, variables, triggers and farewell. Omitted: all fields. */
  fields?: 'summary'
}

/** One step of a scenario. */
export type ScenarioNode =
  | MessageNode
  | QuestionNode
  | LookupNode
  | BranchNode
  | WaitNode
  | TagNode
  | AddToGroupNode
  | RegisterNode
  | HandoffNode
  | JumpNode
  | EndNode

/** One page of a unit's scenarios, newest first. */
export type ScenarioPage = {
  /** The items of this page. */
  items: Array<ScenarioItem>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** A run of a scenario: its conversation with one person. */
export type ScenarioRun = {
  /** The id of the run. */
  id: string
  /** The scenario. */
  scenarioId: string
  /** The version of the scenario, which a run keeps. */
  version: number
  /** The person; null if they were erased, or the run is past retention. Only for callers who may read personal data. */
  subjectId?: string | null
  /** Their uid; null as `subjectId`. Only for callers who may read personal data. */
  uid?: string | null
  /** `waiting`: for the person, a time, or another party. `done`, `cancelled` and `failed` are final. */
  state: 'running' | 'waiting' | 'done' | 'cancelled' | 'failed'
  /** Why it was cancelled or failed, such as `restarted`, `erased` or `missing_variable`; null otherwise. */
  reason: string | null
  /** The id of the node where it is, or ended. Once it has passed an answer, only for callers who may read about people. */
  node?: string
  /** Why it is parked: `provider` or `provider_quota` (the channel), `unknown_recipients` (the mail server rejects an implausible share of the recipients), `quota` (of the unit and the pool), `internal` (a step that keeps failing); null: it is not. It retries automatically. */
  problem: 'provider' | 'provider_quota' | 'quota' | 'unknown_recipients' | 'internal' | null
  /** When it continues without input, in UTC; null: it does not wait for a time. Omitted as `node`. */
  deadline?: string | null
  /** Whether it is a test run, which only reaches the caller who started it. */
  test: boolean
  /** Who started it. If the person did, not who they are. */
  startedBy: Actor
  /** When, in UTC. */
  startedAt: string
  /** When it ended, in UTC; null: it is open. */
  endedAt: string | null
}

/** A run of a scenario: its path, turns and answers. */
export type ScenarioRunDetail = {
  /** The id of the run. */
  id: string
  /** The scenario. */
  scenarioId: string
  /** The version of the scenario, which a run keeps. */
  version: number
  /** The person; null if they were erased, or the run is past retention. Only for callers who may read personal data. */
  subjectId?: string | null
  /** Their uid; null as `subjectId`. Only for callers who may read personal data. */
  uid?: string | null
  /** `waiting`: for the person, a time, or another party. `done`, `cancelled` and `failed` are final. */
  state: 'running' | 'waiting' | 'done' | 'cancelled' | 'failed'
  /** Why it was cancelled or failed, such as `restarted`, `erased` or `missing_variable`; null otherwise. */
  reason: string | null
  /** The id of the node where it is, or ended. Once it has passed an answer, only for callers who may read about people. */
  node?: string
  /** Why it is parked: `provider` or `provider_quota` (the channel), `unknown_recipients` (the mail server rejects an implausible share of the recipients), `quota` (of the unit and the pool), `internal` (a step that keeps failing); null: it is not. It retries automatically. */
  problem: 'provider' | 'provider_quota' | 'quota' | 'unknown_recipients' | 'internal' | null
  /** When it continues without input, in UTC; null: it does not wait for a time. Omitted as `node`. */
  deadline?: string | null
  /** Whether it is a test run, which only reaches the caller who started it. */
  test: boolean
  /** Who started it. If the person did, not who they are. */
  startedBy: Actor
  /** When, in UTC. */
  startedAt: string
  /** When it ended, in UTC; null: it is open. */
  endedAt: string | null
  /** Whether it is past retention: path, variables and answers are gone. */
  purged: boolean
  /** The nodes that it entered, in order. For callers who may not read personal data, up to the first that was left by an answer: a question, a branch or a registration. `errors`, `turns` and `handoffs` end there too. */
  path: Array<RunStep>
  /** The nodes of the path that took their `error` edge, and the one at which it failed. Texts are evaluated with the run's current variables. */
  errors: Array<NodeError>
  /** Its turns, in order. */
  turns: Array<RunTurn>
  /** The conversations that its nodes have handed to people of the unit, in order. */
  handoffs: Array<RunHandoff>
  /** Its variables: from its start, answers and Lookups. Only for callers who may read personal data. */
  variables?: Record<string, unknown>
  /** What the person answered, in order. Only for callers who may read personal data. */
  answers?: Array<{
    /** The id of the question. */
    node: string
    /** The id of the option; null: a typed text. */
    optionId: string | null
    /** The typed text; null: an option. */
    text: string | null
    /** The producer's own data of the postback that was tapped; null for any other answer. */
    data: {
      /** The version of this form: always 1. */
      v: 1
      /** The producer's own, such as a scenario. Kept and reported, never obeyed. */
      s?: string
      /** The producer's own, such as a node. Kept and reported, never obeyed. */
      n?: string
      /** The id of the option: the key of the answer in `answers` of the message. Omitted: its number. */
      o?: string
      /** The producer's own, such as a message. Kept and reported, never obeyed. */
      m?: string
      /** The producer's own, such as an action. Kept and reported, never obeyed. */
      a?: string
    } | null
    /** When it was taken, in UTC. */
    at: string
  }>
}

/** One page of the runs of a scenario, newest first. */
export type ScenarioRunPage = {
  /** The items of this page. */
  items: Array<ScenarioRun>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** Query parameters, such as those of `GET /v1/scenarios/{id}/runs`. */
export type ScenarioRunQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** Only runs in these states. May be repeated. Omitted: all. */
  state?:
    | Array<'running' | 'waiting' | 'done' | 'cancelled' | 'failed'>
    | 'running'
    | 'waiting'
    | 'done'
    | 'cancelled'
    | 'failed'
  /** Only runs that are at this node, or ended there. Only for callers who may read personal data. */
  node?: string
  /** Only runs of this version. */
  version?: number
  /** Only runs of the person with this uid. Only for callers who may read personal data. */
  uid?: string
  /** Accepted, so that a console can send it with every request, and not used: this operation knows the unit otherwise. */
  unitId?: string
}

/** What starts a scenario beside calls and buttons. */
export type ScenarioTriggers = {
  /** Starts for people who follow the account, once a day per person. */
  follow?: true
  /** Starts for people who write what no conversation and no keyword takes, once an hour per person: an automatic answer. */
  otherwise?: true
  /** Texts that start it, 1 to 20, without regard to case, width, marks around them and characters that nobody sees. */
  keywords?: Array<string>
}

/** One version of a scenario. */
export type ScenarioVersion = {
  /** The number of the version, counted from 1. */
  version: number
  /** `draft`: written. `submitted`: waits for an approver. `in_force`: new runs follow it. `replaced`: a newer version has taken its place. `rejected`: by an approver. */
  versionState: 'draft' | 'submitted' | 'in_force' | 'replaced' | 'rejected'
  /** Whether it came in force without a person’s approval; it then has no triggers and no mass starts. */
  autoApproved: boolean
  /** Its name, for people of the unit. */
  name: string
  /** The id of the category of its messages. */
  categoryId: string
  /** Who wrote this version, and cannot approve it. */
  author: Actor
  /** When this version was written, in UTC. */
  createdAt: string
  /** When its activation was asked for, in UTC; null: not yet. */
  submittedAt: string | null
  /** While it waits: why a person decides about it. null: it does not wait. */
  reason: 'category_not_auto' | 'has_triggers' | null
  /** The decision about it; null: none yet. */
  decision: Decision | null
  /** Its purpose, for approvers. */
  description?: string
  /** The variables of a start. */
  variables: Array<TemplateVariable>
  /** Triggers that start it. Omitted: none. Each can belong to one scenario of the installation. */
  triggers?: ScenarioTriggers
  /** How long a turn may be delayed by a provider or by quota before it is skipped; pauses and quiet hours do not count. Default: 86,400, a day. */
  lateSeconds?: number
  /** The text sent to people whose runs end because the scenario is retired, without variables. Omitted: none. */
  farewell?: LocalisedText
  /** The steps, 1 to 200. The first is the start. */
  nodes: Array<ScenarioNode>
  /** The ways between them, at most 400. They form no circle. */
  edges: Array<ScenarioEdge>
}

/** One page of the versions of a scenario, newest first. */
export type ScenarioVersionPage = {
  /** The items of this page. */
  items: Array<ScenarioVersion>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** A schedule, with its next times and its last occurrence. */
export type Schedule = {
  /** The id of the schedule. */
  id: string
  /** The unit that it belongs to. */
  unitId: string
  /** Its name. */
  name: string
  /** `once`: at an instant; `delay`: so long after it was created or enabled; `recurring`: by a cron expression. */
  type: 'once' | 'delay' | 'recurring'
  /** When it fires once, in UTC; null for the other types. */
  at: string | null
  /** Of a delay, how many seconds; null for the other types. */
  delaySeconds: number | null
  /** The cron expression of a recurring one; null for the other types. */
  cron: string | null
  /** The zone of a recurring one; null for the other types. */
  timeZone: string | null
  /** The message that each occurrence makes; null: it starts runs. */
  message: StoredScheduledMessage | null
  /** The runs that it starts; null: it makes messages. */
  scenario: StoredScheduledScenario | null
  /** Whether it fires at its times. */
  enabled: boolean
  /** `active`: it will fire. `disabled`: it does not fire until it is enabled. `finished`: it has fired, and will not fire again. */
  state: 'active' | 'disabled' | 'finished'
  /** Why it is disabled: disabled `by_caller`, or by three `failures` in a row. null: it is not disabled. */
  disabledReason: 'by_caller' | 'failures' | null
  /** The times at which it fires next, in UTC: three at most. */
  nextTimes: Array<string>
  /** The newest occurrence; null: it was not due yet. */
  lastOccurrence: Occurrence | null
  /** How many occurrences in a row were refused or failed. The third disables it. */
  consecutiveFailures: number
  /** The caller whose rights it uses: the one who last changed its content or times. */
  actsFor: Actor
  /** Who created it. */
  createdBy: Actor
  /** When it was created, in UTC. */
  createdAt: string
  /** When it was last changed by a caller, in UTC. */
  updatedAt: string
}

/** Query parameters, such as those of `GET /v1/schedules`. */
export type ScheduleListQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
}

/** One page of a unit's schedules, newest first. */
export type SchedulePage = {
  /** The items of this page. */
  items: Array<Schedule>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** The message that each occurrence makes: a message intent, whose times count from when the occurrence is due. */
export type ScheduledMessage = {
  /** The id of an enabled category, from GET /v1/categories. It decides consent, channels, quiet hours and approval. */
  categoryId: string
  /** The id of a template of the unit. Exactly one of templateId and messages is given. */
  templateId?: string
  /** Values of the template's variables, by name. Only with templateId. Required ones must be there by the dry-run. */
  variables?: Record<string, unknown>
  /** The content, block by block, 1 to 1,000. Exactly one of messages and templateId is given. At most 100,000 characters in all texts together. */
  messages?: Array<CanonicalMessage>
  /** The subject of its mail, beside messages; also the title of the message. Omitted: the first title or text of the content. A template has its own. */
  subject?: LocalisedText
  /** The recipients. Counted again at each dry-run, at submit and at the time of the send; an approval covers the people counted at submit. */
  audience: Audience
  /** Your own reference, 1 to 255 characters, such as the id of a case in your system: shown with the message, also to callers who may not see its text, sent to callbacks, and a filter of the list. It need not be unique, and must not name a person. Omitted: none. */
  reference?: string
  /** The id of an active topic of the unit: subjects who have unsubscribed from it are skipped. Not with a mandatory category. Omitted: none. */
  topicId?: string
  /** Whom the reminder goes to: `all` who received the message, or those of them who have not answered it by then (`unanswered`). Requires remindAfterSeconds. Default: all. */
  remindTo?: 'all' | 'unanswered'
  /** How fast it is sent; the dry-run says when the last recipient is sent to. Omitted: as fast as the channels take it. */
  pace?: Pace
  /** Narrows the category's channel plan for this message. Omitted: the plan as it is. */
  channelPlanOverride?: ChannelPlanOverride
  /** The text of a personal message is shown only to its authors and to approvers. Omitted: personal for an individual audience, otherwise broadcast. Submit makes a message to a very small audience personal. */
  kind?: 'broadcast' | 'personal'
  /** How long after the occurrence is due its message is sent again, as `remindAt` of a message: 60 to 31,622,400, and less than expiresAfterSeconds. Omitted: no reminder. */
  remindAfterSeconds?: number
  /** How long after the occurrence is due nothing more of its message is sent, as `expiresAt` of a message: 60 to 31,622,400. An occurrence that is later is missed. Omitted: never. */
  expiresAfterSeconds?: number
}

/** The runs that each occurrence starts: of the version that is in force then. */
export type ScheduledScenario = {
  /** The id of a scenario of the unit whose version in force a person approved. */
  scenarioId: string
  /** The people for whom runs start, at most 5,000 people, counted at each occurrence. */
  audience: AllAudience | QueryAudience
  /** Values of the declared variables, by name; the same for all people. */
  variables?: Record<string, unknown>
}

/** An author may not approve: the caller wrote, edited or submitted this, or what it is made of, and no other person has approved that. It has no details. */
export type SelfApprovalError = {
  /** Identifies the error. Branch on it. */
  code: 'self_approval'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** The person who is signed in, with their units and roles. */
export type Session = {
  /** Who is signed in. */
  person: {
    /** The id of the person. */
    id: string
    /** Their name. */
    name: string
    /** Their e-mail address. */
    email?: string
  }
  /** The units of the person, by name. */
  units: Array<{
    /** The id of the unit, for `unitId`. */
    id: string
    /** Its name. */
    name: string
    /** What the person may do in it. */
    roles: Array<UnitRole>
  }>
  /** Whether the person is a system administrator. */
  systemAdmin: boolean
  /** The language of the console, of pages and of mails for them. */
  language: Locale
  /** Whether they receive approval requests by mail. */
  notices: boolean
  /** Mails about messages that they wrote, edited or submitted. */
  authorNotices: Array<'rejected' | 'approved' | 'parked' | 'failed'>
  /** Whether they receive mails about handoffs opened in their units. */
  handoffNotices: boolean
  /** When the session ends at the latest, in UTC. An idle session ends earlier. */
  expiresAt: string
}

/** A limit to set. */
export type SetQuota = {
  /** A unit id, or `pool`, which all units share. */
  scope: 'pool' | string
  /** The channel. */
  channel: Channel
  /** The new limit in pushes, not below what is committed and reserved. */
  limit: number
  /** The only month that it applies to, yyyy-mm. Omitted: this one and all later ones. */
  month?: string
}

/** A start of 20 conversations or more that failed with a tenth of them or more. */
export type ShortStart = {
  /** When the conversations were started, in UTC. */
  startedAt: string
  /** People of the start; those who may not be written to are not counted. */
  people: number
  /** Those of them whose conversation has not failed. */
  reached: number
  /** Why deliveries failed, the commonest reason first. */
  reasons: Array<{
    /** The channel of the deliveries. */
    channel: Channel
    /** The reason. */
    reason: string
    /** How many deliveries failed for it. */
    deliveries: number
  }>
}

/** A send that ended and reached no one, or missed many people. */
export type Shortfall = {
  /** Subjects to whom it was sent; those who were skipped are not counted. */
  people: number
  /** Those of them who received it or may have. */
  reached: number
  /** Why deliveries failed, the commonest reason first. */
  reasons: Array<{
    /** The channel of the deliveries. */
    channel: Channel
    /** The reason. */
    reason: string
    /** How many deliveries failed for it. */
    deliveries: number
  }>
}

/** The session has ended. */
export type SignedOut = {
  /** Always false. */
  signedIn: false
}

/** A scenario that is not stored, and what happens to its run. */
export type SimulateContent = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** The scenario, as it would be stored. At most 100,000 characters in all texts together. */
  scenario: {
    /** Its name, which changes nothing here. */
    name?: string
    /** The id of its category, whose channels decide what can be sent. */
    categoryId: string
    /** Its purpose, for approvers. */
    description?: string
    /** The variables of a start. */
    variables?: Array<GivenVariable>
    /** Triggers that start it. Omitted: none. Each can belong to one scenario of the installation. */
    triggers?: ScenarioTriggers
    /** How long a turn may be delayed by a provider or by quota before it is skipped; pauses and quiet hours do not count. Default: 86,400, a day. */
    lateSeconds?: number
    /** The text sent to people whose runs end because the scenario is retired, without variables. Omitted: none. */
    farewell?: LocalisedText
    /** The steps, 1 to 200. The first is the start. */
    nodes: Array<ScenarioNode>
    /** The ways between them, at most 400. They form no circle. */
    edges: Array<ScenarioEdge>
  }
  /** The input for nodes that wait for a person, by node: for a question an option's id, label or number, or a typed text; for `register` its result; for a handoff any text, which closes it; null: the time-out. Without an entry, the simulation ends there. */
  answers?: Record<string, string | null>
  /** What the endpoints answer, by node: the JSON object; null: no answer in time. Without one, the simulation ends there. */
  lookups?: Record<string, Record<string, unknown> | null>
  /** The variables of the start, by name. Omitted: none. */
  variables?: Record<string, unknown>
  /** The person's language. Default: zh-TW. */
  locale?: Locale
}

/** What happens to a simulated run of a stored scenario. */
export type SimulateScenario = {
  /** The number of the version. Omitted: the newest one. */
  version?: number
  /** The input for nodes that wait for a person, by node: for a question an option's id, label or number, or a typed text; for `register` its result; for a handoff any text, which closes it; null: the time-out. Without an entry, the simulation ends there. */
  answers?: Record<string, string | null>
  /** What the endpoints answer, by node: the JSON object; null: no answer in time. Without one, the simulation ends there. */
  lookups?: Record<string, Record<string, unknown> | null>
  /** The variables of the start, by name. Omitted: none. */
  variables?: Record<string, unknown>
  /** The person's language. Default: zh-TW. */
  locale?: Locale
}

/** The messages of one node in a simulation. */
export type SimulatedSaying = {
  /** The id of its node. */
  node: string
  /** The channel: the first of the category's plan that can carry it. */
  channel: Channel
  /** Its messages, with variables filled in, in both languages. */
  messages: Array<CanonicalMessage>
}

/** The way of a simulated run. Nothing was stored, sent or called. */
export type Simulation = {
  /** The ids of the nodes, in the order in which the run enters them. */
  path: Array<string>
  /** What went wrong, in order, whether an edge took it or the run failed: at which node, and in which text. */
  errors: Array<NodeError>
  /** The variables as they are at the end. */
  variables: Record<string, unknown>
  /** The messages to the person, in order. */
  says: Array<SimulatedSaying>
  /** How it ends: with a state, or waiting at a node. */
  ends: {
    /** How the run ends; `cancelled`: the person leaves, by a text such as `取消`. Omitted: it waits. */
    state?: 'done' | 'cancelled' | 'failed'
    /** Why it fails, such as `missing_variable`, `content_violation` or `no_instant`, or is cancelled: `left`. */
    reason?: string
    /** The id of the scenario that it jumps to, which may be its own. Omitted: none. */
    jumpsTo?: string
    /** The id of the node where it waits: `answers` or `lookups` has no entry for it. */
    waits?: string
  }
  /** The `warnings` of the scenario. Paths refer to the scenario. */
  warnings: Array<Violation>
  /** The maximum cost of one start, with the current versions of scenarios it jumps to. */
  cost: StartCost
}

/** How far a subject's relation has come. It only moves forward. */
export type Stage = 'visitor' | 'lead' | 'member' | 'alumni'

/** The timestamp is more than 300 seconds from the current time. It has no details. */
export type StaleTimestampError = {
  /** Identifies the error. Branch on it. */
  code: 'stale_timestamp'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** What one start of a scenario costs at most. */
export type StartCost = {
  /** The maximum number of turns of one start for each person, including jumps: a chat push each, or a mail. Replies within a minute of the person's message are free. */
  maxTurns: number
  /** Whether answers of the person can lead around a circle of scenarios, of which `maxTurns` counts one round. */
  loops: boolean
}

/** The people to start runs for: exactly one of subjectUids and audience. */
export type StartRuns = {
  /** The uids of the people, at most 5,000 (413), each counted once. Only for producer keys with individual targeting; each use is recorded in the audit log. */
  subjectUids?: Array<string>
  /** An audience of at most 5,000 people (413). Only for a version that a person approved, and with an Idempotency-Key. */
  audience?: AllAudience | QueryAudience
  /** Values of the variables, by name; the same for all people. A version approved by a person accepts declared ones only. */
  variables?: Record<string, unknown>
  /** Values of single people, by uid: they replace those of `variables` with the same name. Only with subjectUids, of which each uid must be one. */
  variablesByUid?: Record<string, Record<string, unknown>>
}

/** The variables of a test. */
export type StartTestRun = {
  /** Values of the variables, by name; the same for all people. A version approved by a person accepts declared ones only. */
  variables?: Record<string, unknown>
}

/** The run of one person. */
export type StartedRun = {
  /** The id of the run. */
  id: string
  /** The uid of the person; `erased subject` once they are erased. Omitted in the repeat of a call by a caller who may not target individuals. */
  uid?: string
  /** Whether this call started it; otherwise the person had an open run. */
  created: boolean
}

/** What a start came to. A repeat with the same key gets the same answer. */
export type StartedRuns = {
  /** The runs of the people who were named. Omitted for an audience. */
  items?: Array<StartedRun>
  /** How many runs were started. */
  started: number
  /** How many uids have no subject. */
  unknownUids: number
  /** How many people already have an open run of the scenario, which continues. */
  alreadyRunning: number
  /** How many people are not eligible, each counted once, by reason. */
  excluded: {
    /** Without an active consent for the category's scope. */
    noConsent: number
    /** Without an address on any channel of the plan. */
    noAddress: number
    /** People who have turned the category off. */
    preferenceOff: number
    /** Subjects who have blocked the account, or whose address is suppressed. */
    blocked: number
  }
  /** How many people have reached the category's frequency cap. Only if the category has one. */
  frequency?: number
}

/** A message changed state. */
export type StateChangedEvent = {
  /** The type of event. */
  type: 'message.state_changed'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** What changed. Read the message for everything else. */
  data: {
    /** The message. */
    messageId: string
    /** The unit of the message and of the callback. */
    unitId: string
    /** The producer's own reference of the message; null: none. */
    reference: string | null
    /** The new state. The first one sent is `submitted`. */
    state: MessageState
    /** The version of the message. It increases with every change, and orders the events of one message. */
    version: number
    /** The state before. */
    from: MessageState
  }
}

/** A sticker of the chat provider. Mail shows a text in its place. */
export type StickerMessage = {
  /** A sticker. */
  kind: 'sticker'
  /** The chat provider's id of the set of stickers. */
  packageId: string
  /** The chat provider's id of the sticker in its set. */
  stickerId: string
  /** What mail shows in its place. Omitted: a placeholder. */
  fallbackText?: LocalisedText
}

/** All subjects of the installation, except those in `exclude`. */
export type StoredAllAudience = {
  /** Selects every subject. */
  kind: 'all'
  /** The subjects that are left out. */
  exclude?: StoredAudienceDimensions
}

/** Whom a message is for. */
export type StoredAudience = StoredAllAudience | StoredQueryAudience | StoredIndividualAudience

/** The subjects that an audience leaves out, by dimensions. */
export type StoredAudienceDimensions = {
  /** May be given, as in an audience. */
  kind?: 'query'
  /** By role in the institution. */
  roles?: Array<SubjectRole>
  /** By how far the relation has come. */
  stages?: Array<Stage>
  /** By organisational unit, as in the profile. Compared exactly. */
  orgUnits?: Array<string>
  /** By class, as in the profile. Compared exactly. */
  classIds?: Array<string>
  /** By the id of a group of the unit. */
  groups?: Array<string>
  /** By tag, such as `interest:music`. Compared exactly. */
  tags?: Array<string>
  /** By what they received or did before. */
  history?: Array<HistoryEntry>
}

/** How the message narrows its category's plan. */
export type StoredChannelPlanOverride = {
  /** The channels that are left of the category's. Omitted: all. */
  channels?: Array<Channel>
  /** The mode in place of the category's. Omitted: the category's. */
  mode?: 'first_available' | 'all'
}

/** The dry-run that submit stored, for which the message is approved. */
export type StoredDryRun = {
  /** How many it reaches, and how many not, by reason. */
  recipients: Recipients
  /** What it costs, by channel of the plan. */
  quota: Partial<Record<Channel, QuotaForecast>>
  /** The reminder. Omitted: none, or its time has passed. */
  reminder?: {
    /** When it is sent, in UTC. */
    at: string
    /** Its recipients. */
    to: 'all' | 'unanswered'
    /** Its maximum cost by channel, in addition to that of the send: recipients who will decline it, or answer where only the others are reminded, are not known yet. */
    pushes: Partial<Record<Channel, number>>
  }
  /** What the pace of the message makes of the send. Omitted: it has none. */
  pace?: {
    /** Deliveries a minute, rounded up. */
    perMinute: number
    /** When the last recipient is sent to, if the send begins on time, in UTC. */
    lastAt: string
  }
  /** What must be changed before the message can be submitted. Empty: nothing. */
  violations: Array<Violation>
  /** Content that can be sent, but may not do what its author expects: `no_scenario`, a `nextNode` button in a message outside a scenario; `scenario_not_active`, a button that begins a scenario which starts nothing now; `host_from_values` and `invisible_dropped`, values of variables that bring addresses or invisible characters; `no_english`, texts without English, if recipients read English; `pace_past_expiry` and `pace_past_reminder`, a pace too slow for the other times; `schedule_past`, a scheduleAt that has passed. */
  warnings: Array<Violation>
  /** When it was made, in UTC. */
  at: string
}

/** Whom the message of an event is for: the subjects that the event names, or a query. */
export type StoredEventAudience = EventSubjects | StoredQueryAudience

/** Subjects that match every dimension, each by any of its values, except those in `exclude`. */
export type StoredGroupQuery = {
  /** May be given, as in an audience. */
  kind?: 'query'
  /** By role in the institution. */
  roles?: Array<SubjectRole>
  /** By how far the relation has come. */
  stages?: Array<Stage>
  /** By organisational unit, as in the profile. Compared exactly. */
  orgUnits?: Array<string>
  /** By class, as in the profile. Compared exactly. */
  classIds?: Array<string>
  /** By the id of a group of the unit. */
  groups?: Array<string>
  /** By tag, such as `interest:music`. Compared exactly. */
  tags?: Array<string>
  /** By what they received or did before. */
  history?: Array<HistoryEntry>
  /** The subjects that are left out. */
  exclude?: StoredAudienceDimensions
}

/** Subjects by uid. Only some callers see the uids. */
export type StoredIndividualAudience = {
  /** Names each subject. */
  kind: 'individual'
  /** The number of uids. */
  count: number
  /** The uids; `erased subject` in place of an erased one. Only for approvers of the unit, and for authors whose key has individual targeting. Empty once the retention period has passed. */
  uids?: Array<string>
}

/** Subjects that match every dimension, each by any of its values, except those in `exclude`. */
export type StoredQueryAudience = {
  /** Selects subjects by dimensions. */
  kind: 'query'
  /** By role in the institution. */
  roles?: Array<SubjectRole>
  /** By how far the relation has come. */
  stages?: Array<Stage>
  /** By organisational unit, as in the profile. Compared exactly. */
  orgUnits?: Array<string>
  /** By class, as in the profile. Compared exactly. */
  classIds?: Array<string>
  /** By the id of a group of the unit. */
  groups?: Array<string>
  /** By tag, such as `interest:music`. Compared exactly. */
  tags?: Array<string>
  /** By what they received or did before. */
  history?: Array<HistoryEntry>
  /** The subjects that are left out. */
  exclude?: StoredAudienceDimensions
}

/** The message that each occurrence makes. `messages`, `subject` and `variables` of a personal one are shown to the authors of the schedule and to approvers alone. */
export type StoredScheduledMessage = {
  /** The id of an enabled category, from GET /v1/categories. It decides consent, channels, quiet hours and approval. */
  categoryId: string
  /** The id of a template of the unit. Exactly one of templateId and messages is given. */
  templateId?: string
  /** Values of the template's variables, by name. Only with templateId. Required ones must be there by the dry-run. */
  variables?: Record<string, unknown>
  /** The content, block by block, 1 to 1,000. Exactly one of messages and templateId is given. At most 100,000 characters in all texts together. */
  messages?: Array<CanonicalMessage>
  /** The subject of its mail, beside messages; also the title of the message. Omitted: the first title or text of the content. A template has its own. */
  subject?: LocalisedText
  /** The audience as it was given. */
  audience: StoredAudience
  /** Your own reference, 1 to 255 characters, such as the id of a case in your system: shown with the message, also to callers who may not see its text, sent to callbacks, and a filter of the list. It need not be unique, and must not name a person. Omitted: none. */
  reference?: string
  /** The id of an active topic of the unit: subjects who have unsubscribed from it are skipped. Not with a mandatory category. Omitted: none. */
  topicId?: string
  /** Whom the reminder goes to: `all` who received the message, or those of them who have not answered it by then (`unanswered`). Requires remindAfterSeconds. Default: all. */
  remindTo?: 'all' | 'unanswered'
  /** How fast it is sent; the dry-run says when the last recipient is sent to. Omitted: as fast as the channels take it. */
  pace?: Pace
  /** Narrows the category's channel plan for this message. Omitted: the plan as it is. */
  channelPlanOverride?: ChannelPlanOverride
  /** The text of a personal message is shown only to its authors and to approvers. Omitted: personal for an individual audience, otherwise broadcast. Submit makes a message to a very small audience personal. */
  kind?: 'broadcast' | 'personal'
  /** How long after the occurrence is due its message is sent again, as `remindAt` of a message: 60 to 31,622,400, and less than expiresAfterSeconds. Omitted: no reminder. */
  remindAfterSeconds?: number
  /** How long after the occurrence is due nothing more of its message is sent, as `expiresAt` of a message: 60 to 31,622,400. An occurrence that is later is missed. Omitted: never. */
  expiresAfterSeconds?: number
}

/** The runs that each occurrence starts. */
export type StoredScheduledScenario = {
  /** The id of the scenario. */
  scenarioId: string
  /** The people for whom runs start. */
  audience: StoredAllAudience | StoredQueryAudience
  /** Values of the declared variables, by name; the same for all people. */
  variables?: Record<string, unknown>
}

/** A subject with all that is stored of them. Only for administrative units. */
export type Subject = {
  /** The producer's id of the subject. */
  uid: string
  /** Carillon's id of the subject. It never changes. */
  subjectId: string
  /** How far the relation has come. It only moves forward. */
  stage: Stage
  /** The tags, such as `interest:robotics`. */
  tags: Array<string>
  /** What is known of the subject. */
  profile: {
    /** The name to show; null: none. */
    displayName: string | null
    /** The language of messages to the subject. zh-TW for a new one. */
    locale: Locale
    /** Roles in the institution. */
    roles: Array<string>
    /** Organisational units, such as departments. A list replaces the previous one. */
    orgUnits: Array<string>
    /** Classes. A list replaces the previous one. */
    classIds: Array<string>
    /** Other attributes, by name. In an update each one is set separately; null removes it. */
    attributes: Record<string, unknown>
  }
  /** How the first contact came about; null: not known yet. */
  acquisition: {
    /** `chat_embed`, `directory`, `import`, `event:<source>`, or `chat_follow`: they followed the account. */
    source: string
    /** A campaign, QR code or intake period; null: none. */
    ref: string | null
  } | null
  /** The bound addresses, at most one for each channel. */
  addresses: Array<SubjectAddress>
  /** The latest consent for each scope, withdrawn ones included. */
  consents: Array<Consent>
  /** When Carillon first learned of the subject, in UTC. */
  createdAt: string
  /** When the subject was last changed, in UTC. */
  updatedAt: string
}

/** The address of a subject on one channel. */
export type SubjectAddress = {
  /** The channel. */
  channel: Channel
  /** An e-mail address, or the chat provider's id of the user. */
  address: string
  /** When it was bound, in UTC. */
  boundAt: string
  /** Whether the subject has blocked the account in the chat: nothing is sent there. */
  blocked: boolean
  /** Whether it is suppressed after a permanent bounce, a complaint or a rejection, even for another subject: nothing is sent to it until a system administrator lifts the suppression. */
  suppressed: boolean
}

/** The delivery of one message to the subject on one channel. */
export type SubjectDelivery = {
  /** The message. */
  messageId: string
  /** The unit that sent it. */
  unitId: string
  /** The id of its category. */
  categoryId: string
  /** The title of the message; null for personal messages. */
  title: LocalisedText | null
  /** Whether it belongs to the reminder; false: to the first send. */
  reminder: boolean
  /** The channel. */
  channel: Channel
  /** The outcome. `unknown`: it may or may not have arrived. `skipped`: it was not tried. */
  state: 'pending' | 'sent' | 'failed' | 'skipped' | 'unknown'
  /** Why it was skipped or failed: a keyword, or a code of the provider; null if there is none. */
  reason: string | null
  /** When the provider was first called, in UTC; for skipped deliveries, when the send started; null: not yet. */
  at: string | null
}

/** One page of a subject's deliveries, newest first. */
export type SubjectDeliveryPage = {
  /** The items of this page. */
  items: Array<SubjectDelivery>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** All data stored about one subject. */
export type SubjectExport = {
  /** When it was made, in UTC. */
  exportedAt: string
  /** The subject with all attributes. */
  subject: Subject
  /** All other stored rows about the subject, by the name of the table. */
  records: Record<string, Array<Record<string, unknown>>>
  /** All deliveries to the subject. */
  deliveries: Array<SubjectDelivery>
}

/** The two ids of a subject. Keys of ordinary units get no more. */
export type SubjectRef = {
  /** The producer's id of the subject. */
  uid: string
  /** Carillon's id of the subject. It never changes. */
  subjectId: string
}

/** A subject's role in the institution. */
export type SubjectRole = 'student' | 'teacher' | 'staff'

/** The messages that a run, or a unit in a handoff, sent together. */
export type SubjectTurn = {
  /** The id of the turn. */
  id: string
  /** The run of the scenario; null: it is a reply in a handoff. */
  runId: string | null
  /** The scenario; null as `runId`. */
  scenarioId: string | null
  /** The handoff of a reply; null: a turn of a run. */
  handoffId: string | null
  /** The unit that sent it. */
  unitId: string
  /** The id of the category of the scenario; null as `runId`. */
  categoryId: string | null
  /** Its number in the run, from 1. */
  number: number
  /** The id of the first node in it; `(farewell)`: the farewell of the retired scenario; `(failure)`: that it cannot go on. */
  firstNode: string
  /** The id of the last node in it; as `firstNode`. */
  lastNode: string
  /** `unknown`: it may or may not have arrived. `skipped`: it was not tried. */
  state: 'pending' | 'sent' | 'skipped' | 'failed' | 'unknown'
  /** Why it was skipped or failed; null if there is no reason. */
  reason: string | null
  /** The channel; null: not tried yet. */
  channel: Channel | null
  /** `reply`: free, to what the person did. `push`, `mail`: paid. null: not tried yet. */
  by: 'reply' | 'push' | 'mail' | null
  /** When the run created it, in UTC. */
  createdAt: string
  /** When it was first tried, in UTC; null: not yet. */
  firstTryAt: string | null
  /** For a delayed turn, the earliest time of the next try, in UTC; otherwise null. */
  nextTryAt: string | null
  /** When its outcome was certain, in UTC; null: it is pending. */
  closedAt: string | null
}

/** One page of the turns sent to a subject, newest first. */
export type SubjectTurnPage = {
  /** The items of this page. */
  items: Array<SubjectTurn>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** Counts of a unit's messages, templates, bindings and scenarios that wait or are in progress. */
export type Summary = {
  /** Submitted messages. */
  toApprove: number
  /** Templates whose newest version is a draft. */
  templatesToApprove: number
  /** Event bindings with a submitted version. */
  bindingsToApprove: number
  /** Scenarios with a submitted version. */
  scenariosToApprove: number
  /** Messages or reminders that are being sent. */
  sending: number
  /** Sends that are parked for their provider or for quota. */
  parked: number
}

/** Query parameters, such as those of `GET /v1/summary`. */
export type SummaryQuery = {
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
}

/** A suppressed address: nothing is sent to it, for any subject it is bound to. */
export type Suppression = {
  /** The channel of the address. */
  channel: Channel
  /** Since when nothing is sent to it, in UTC. */
  since: string
  /** bounce: a mail server reported that the mailbox does not exist. complaint: its owner complained. refused: a mail server refused it during a send. */
  reason: 'bounce' | 'complaint' | 'refused'
}

/** What happened, and whom it concerns. Further fields are ignored. */
export type SystemEvent = {
  /** The id of the event, chosen by the source and unique within it: 1 to 200 characters. A repeat creates no second message, and starts no run again. */
  eventId: string
  /** What happened, such as `admission.granted`: 1 to 200 characters. Selects the binding. */
  type: string
  /** When it happened: ISO 8601, to the millisecond. Without an offset it is in UTC. */
  occurredAt: string
  /** The uids of the subjects concerned, at most 5,000; unknown and malformed ones are ignored. */
  subjectUids: Array<string>
  /** Values of the variables of the template or scenario, by name. Names that a scenario does not take are ignored. */
  data: Record<string, unknown>
  /** Must be absent: it distinguishes the body of a Lookup, which is signed in the same way. */
  subject?: never
}

/** A node that changes tags of the person: `interest:` and `source:`; others only in an administrative unit. */
export type TagNode = {
  /** The id of the node in its scenario: 1 to 64 letters, digits, _ or -. */
  id: string
  /** Changes the tags of the person. */
  kind: 'tag'
  /** Tags to add. */
  add?: Array<string>
  /** Tags to remove. */
  remove?: Array<string>
}

/** A template with its newest version. Only messages from an approved one can pass the automatic check. */
export type Template = {
  /** The id of the template. */
  id: string
  /** The unit that it belongs to. */
  unitId: string
  /** Its name, for people of the unit. */
  name: string
  /** The id of the category of its messages. */
  categoryId: string
  /** The version that messages use: the newest approved one, or the newest if none is approved. */
  inForce: number
  /** The state of this version: `draft` until an approver decides. */
  state: 'draft' | 'approved' | 'rejected'
  /** The number of this version, counted from 1. */
  version: number
  /** Its content, with variables. */
  messages: Array<TemplateMessage>
  /** The subject of its mail; null: taken from the content. */
  subject: LocalisedText | null
  /** The variables that its texts may use. */
  variables: Array<TemplateVariable>
  /** Who wrote this version, and cannot approve it. */
  author: Actor
  /** When this version was written, in UTC. */
  createdAt: string
  /** The decision about this version; null: none yet. */
  decision: Decision | null
}

/** A button, and what a tap does. */
export type TemplateAction =
  | TemplateUriAction
  | PostbackAction
  | NextNodeAction
  | JumpScenarioAction
  | MuteAction
  | AddToGroupAction

/** A text with buttons that stay after a tap. */
export type TemplateButtonsMessage = {
  /** A text with buttons. */
  kind: 'buttons'
  /** The text above the buttons. */
  text: LocalisedText
  /** The buttons, 1 to 4. */
  actions: Array<TemplateAction>
}

/** A card with a title, and optionally image, text and buttons. */
export type TemplateCardMessage = {
  /** A card. */
  kind: 'card'
  /** A short line above the title. */
  header?: LocalisedText
  /** The title. */
  title: LocalisedText
  /** The text below the title. */
  body?: LocalisedText
  /** How `body` is written. Omitted: plain. */
  format?: TextFormat
  /** The address of the image at the top, https for the chat, with variables or as one; it must be a URL once they are filled in. */
  imageUrl?: string
  /** The buttons, at most 3; may be empty. */
  actions: Array<TemplateAction>
  /** Why the card is locked: shown on it with a lock. The buttons stay. */
  lockedReason?: LocalisedText
}

/** Cards side by side in the chat, one below another in mail. */
export type TemplateCarouselMessage = {
  /** Cards side by side. */
  kind: 'carousel'
  /** The cards in order, 1 to 10. */
  cards: Array<TemplateCardMessage>
}

/** A template with its newest version, what the caller may decide about that, and what uses the template. */
export type TemplateDetail = {
  /** The id of the template. */
  id: string
  /** The unit that it belongs to. */
  unitId: string
  /** Its name, for people of the unit. */
  name: string
  /** The id of the category of its messages. */
  categoryId: string
  /** The version that messages use: the newest approved one, or the newest if none is approved. */
  inForce: number
  /** The state of this version: `draft` until an approver decides. */
  state: 'draft' | 'approved' | 'rejected'
  /** The number of this version, counted from 1. */
  version: number
  /** Its content, with variables. */
  messages: Array<TemplateMessage>
  /** The subject of its mail; null: taken from the content. */
  subject: LocalisedText | null
  /** The variables that its texts may use. */
  variables: Array<TemplateVariable>
  /** Who wrote this version, and cannot approve it. */
  author: Actor
  /** When this version was written, in UTC. */
  createdAt: string
  /** The decision about this version; null: none yet. */
  decision: Decision | null
  /** What the caller may decide about this version now. */
  allowed: Decisions
  /** What makes messages of it by itself, the oldest first. */
  usedBy: {
    /** Event bindings, in force or waiting, at most 100. */
    bindings: Array<{
      /** The id of the binding. */
      id: string
      /** The source of its events. */
      source: string
      /** Their type. */
      type: string
    }>
    /** Schedules that are not over, at most 100. */
    schedules: Array<{
      /** The id of the schedule. */
      id: string
      /** Its name. */
      name: string
    }>
  }
}

/** An image, loaded from its address when it is displayed. */
export type TemplateImageMessage = {
  /** An image. */
  kind: 'image'
  /** The address of the image, which must be https for the chat, with variables or as one; it must be a URL once they are filled in. */
  url: string
  /** What the image shows, where it is not displayed or cannot be seen. */
  alt: LocalisedText
  /** The address of a smaller image for the chat, with variables or as one; it must be a URL once they are filled in. Omitted: `url`. */
  previewUrl?: string
}

/** Query parameters, such as those of `GET /v1/templates`. */
export type TemplateListQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** Only templates whose newest version has this state. May be repeated. Omitted: all. */
  state?: Array<'draft' | 'approved' | 'rejected'> | 'draft' | 'approved' | 'rejected'
  /** Only templates of this category. */
  categoryId?: string
  /** Only those whose name or title contains this, in either case, or whose id it is. Omitted: all. */
  q?: string
}

/** One block of a template. As of a message, with variables (`{{ name }}`, Liquid) in texts and addresses. */
export type TemplateMessage =
  | TextMessage
  | TemplateImageMessage
  | StickerMessage
  | TemplateCardMessage
  | TemplateCarouselMessage
  | TemplateButtonsMessage
  | QuickReplyMessage

/** One page of a unit's templates, newest first. */
export type TemplatePage = {
  /** The items of this page. */
  items: Array<Template>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** A button that opens a link. A tap is not reported. */
export type TemplateUriAction = {
  /** Opens a link. */
  kind: 'uri'
  /** What the button says. */
  label: LocalisedText
  /** Where the button leads, with variables or as one; it must be a URL once they are filled in. */
  url: string
}

/** One variable of a template. */
export type TemplateVariable = {
  /** The name, as texts and `variables` of a message use it. */
  name: string
  /** Whether a message must give a value. */
  required: boolean
  /** The value if a message gives none: any JSON. Omitted: none. */
  default?: unknown
}

/** One version of a template. */
export type TemplateVersion = {
  /** The state of this version: `draft` until an approver decides. */
  state: 'draft' | 'approved' | 'rejected'
  /** The number of this version, counted from 1. */
  version: number
  /** Its content, with variables. */
  messages: Array<TemplateMessage>
  /** The subject of its mail; null: taken from the content. */
  subject: LocalisedText | null
  /** The variables that its texts may use. */
  variables: Array<TemplateVariable>
  /** Who wrote this version, and cannot approve it. */
  author: Actor
  /** When this version was written, in UTC. */
  createdAt: string
  /** The decision about this version; null: none yet. */
  decision: Decision | null
}

/** One page of a template's versions, newest first. */
export type TemplateVersionPage = {
  /** The items of this page. */
  items: Array<TemplateVersion>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** A caller tests the callback. Nothing else has happened. */
export type TestEvent = {
  /** The type of event. */
  type: 'callback.test'
  /** When it happened, in UTC. The same in every attempt. */
  timestamp: string
  /** What is tested. */
  data: {
    /** The callback that is tested. */
    callbackId: string
    /** The unit of the callback. */
    unitId: string
  }
}

/** A test has started. */
export type TestRun = {
  /** The id of the run. */
  id: string
  /** The version that it follows: the newest. */
  version: number
}

/** Where to send the test. */
export type TestSend = {
  /** One of the channels of the message's plan. Default: the first. */
  channel?: Channel
}

/** The provider rejected the request. */
export type TestSendMessageProviderError = {
  /** Identifies the error. Branch on it. */
  code: 'provider'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** Why the message was rejected. Omitted if the provider rejected the installation, or its quota is exhausted. */
  details?: {
    /** Why the provider rejected it: Carillon's keyword, or the provider's code. */
    code: string
  }
}

/** The provider accepted the test message. */
export type TestSent = {
  /** Always true: what the provider rejects is an error. */
  sent: true
  /** The channel on which it was sent. */
  channel: Channel
}

/** The result of a test request. */
export type TestedCallback = {
  /** Whether the endpoint answered with a 2xx. */
  delivered: boolean
  /** The HTTP status of the response; null if there was none. */
  httpStatus: number | null
  /** Why the attempt failed; null if it succeeded or has not been made: `http_error`, `redirect`, `timeout`, `no_connection`, `address_refused`, `secret_unreadable`, `individual_targeting_disabled`, `internal` and others. */
  reason: string | null
  /** How long the request took, in milliseconds. */
  durationMs: number
}

/** The person typed a text that is no option. */
export type TextCase = {
  /** The person typed a text that is no option. */
  kind: 'text'
}

/** A text of a node that could not be sent: the variable that it lacks, or the limit that it breaks. */
export type TextFault = {
  /** Where, in the body of the scenario: `nodes[2].message.text.en`. */
  path: string
  /** What is wrong, such as `too_long`, `https_required`, `invisible_character` or `unknown_reference`. /docs/api/messages lists all codes. */
  code: string
  /** The limit that is exceeded, where there is one, in its own unit. */
  limit?: number
  /** What is wrong and what to do, in both languages, for people. */
  message: LocalisedText
  /** The variable without a value, such as `order.total`. Only with the code `missing_variable`. */
  variable?: string
  /** The channel that cannot carry it. Omitted: no channel may. */
  channel?: Channel
}

/** `light`: `# headings`, lists of lines that begin with `-` or `1.`, `**bold**` and `[links](https://…)`, and nothing else. Mail shows them; the chat shows the text, and the address of a link in brackets after it. */
export type TextFormat = 'plain' | 'light'

/** Words alone, plain or lightly formatted. */
export type TextMessage = {
  /** A text. */
  kind: 'text'
  /** The text. Line breaks are kept. */
  text: LocalisedText
  /** How the text is written. Omitted: plain. */
  format?: TextFormat
}

/** One change of the message. */
export type TimelineEntry = {
  /** When, in UTC. */
  at: string
  /** What was done, such as `create`, `submit`, `approve`, `start` or `finish`. */
  action: string
  /** Who did it. */
  by: Actor
  /** The reason that was given, or found. Omitted: none. */
  reason?: string
}

/** The time of the node is over. */
export type TimeoutCase = {
  /** The time of the node is over. */
  kind: 'timeout'
}

/** A batch may contain at most 100 events. It has no details. */
export type TooManyEventsError = {
  /** Identifies the error. Branch on it. */
  code: 'too_many_events'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** The unit has as many open runs as it may have; they end with their conversations, or by a call. It has no details. */
export type TooManyRunsError = {
  /** Identifies the error. Branch on it. */
  code: 'too_many_runs'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** An event or a start of runs may name at most 5,000 subjects, and a batch of events 50,000. It has no details. */
export type TooManySubjectsError = {
  /** Identifies the error. Branch on it. */
  code: 'too_many_subjects'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** A theme that a unit writes about. Recipients can unsubscribe from each one separately. */
export type Topic = {
  /** The id of the topic. */
  id: string
  /** The unit that it belongs to. */
  unitId: string
  /** Its name, as recipients see it. */
  name: LocalisedText
  /** `inactive`: messages of the topic can be neither created nor submitted. */
  status: 'active' | 'inactive'
  /** When it was created, in UTC. */
  createdAt: string
}

/** The topic is inactive; details.issues has the path. */
export type TopicInactiveError = {
  /** Identifies the error. Branch on it. */
  code: 'topic_inactive'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** What is wrong with the request, and where. */
  details: {
    /** What is wrong, in the order of the request; at most 50. */
    issues: Array<Issue>
  }
}

/** Query parameters, such as those of `GET /v1/topics`. */
export type TopicListQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
  /** Only topics with this status. May be repeated. Omitted: all. */
  status?: Array<'active' | 'inactive'> | 'active' | 'inactive'
}

/** The name of a topic, as recipients read it among others: neither blank nor with invisible characters. */
export type TopicName = {
  /** Traditional Chinese as written in Taiwan, 1 to 60 characters. */
  'zh-TW': string
  /** English, at most 60 characters. Omitted or empty: readers of English get the Chinese name. */
  en?: string
}

/** One page of a unit's topics, newest first. */
export type TopicPage = {
  /** The items of this page. */
  items: Array<Topic>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** What happened to one person, entry by entry. What was said is not shown. */
export type Trace = {
  /** In the order in which it happened; what is so now comes last. */
  items: Array<TraceEntry>
}

/** One thing that happened, as a sentence. */
export type TraceEntry = {
  /** When it happened, in UTC; null: it is so now. */
  at: string | null
  /** Which sentence it is. */
  code:
    | 'moved'
    | 'closed_unsent'
    | 'not_named_yet'
    | 'will_receive'
    | 'will_not_receive'
    | 'reminder_due'
    | 'purged'
    | 'not_in_send'
    | 'not_in_reminder'
    | 'in_send'
    | 'in_reminder'
    | 'skipped'
    | 'in_batch'
    | 'called'
    | 'outcome'
    | 'declined_reminder'
    | 'answered'
    | 'run_started'
    | 'entered'
    | 'left'
    | 'turn_says'
    | 'tried'
    | 'try_pending'
    | 'try_sent'
    | 'try_failed'
    | 'try_skipped'
    | 'try_unknown'
    | 'looked_up'
    | 'lookup_ended'
    | 'run_answered'
    | 'run_stands'
    | 'run_ended'
    | 'handoff_opened'
    | 'handoff_open'
    | 'handoff_closed'
    | 'reply_stored'
  /** The sentence. */
  text: LocalisedText
}

/** The days of a unit, in numbers. */
export type Trend = {
  /** The days that are over, oldest first, without gaps. */
  points: Array<TrendPoint>
}

/** The counts of a complete day of a unit. */
export type TrendPoint = {
  /** The day, in the time zone of the unit. */
  date: string
  /** Deliveries of messages that finished on this day, and arrived or may have arrived. */
  sent: number
  /** Distinct people of these deliveries; null: the deliveries were past retention before the day was counted. */
  people: number | null
  /** People reached by these messages, each once for each message; reminders do not count. */
  reached: number
  /** Those of `reached` who have read the message so far: it rises after the day. */
  read: number
  /** People who blocked the chat account on this day, after the unit had reached them. */
  blocked: number
  /** Unsubscribed topics of the unit, and categories that were switched off by people whom the unit had reached by then. */
  unsubscribes: number
  /** Handoffs that were opened on this day. */
  handoffs: number
  /** Answers to messages and to questions of scenarios that were given on this day. */
  answers: number
  /** Conversations of scenarios that came to their end on this day. */
  completed: number
}

/** The credential is missing. It has no details. */
export type UnauthenticatedError = {
  /** Identifies the error. Branch on it. */
  code: 'unauthenticated'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** Carillon is temporarily unavailable; retry after the number of seconds in Retry-After. It has no details. */
export type UnavailableError = {
  /** Identifies the error. Branch on it. */
  code: 'unavailable'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** A unit with its members and this month's quota. */
export type Unit = {
  /** The id of the unit. */
  id: string
  /** Its name. */
  name: string
  /** Keys of an `administrative` unit may use the Identity API. */
  kind: 'ordinary' | 'administrative'
  /** The IANA time zone of its quiet hours, such as `Asia/Taipei`. */
  timeZone: string
  /** Its name as recipients read it in mails and on pages, and the sender of its mails. Unique. null: `name`, and the installation's sender. */
  displayName: LocalisedText | null
  /** Where answers to its mails go. null: to the installation's address, from which all mails are sent. */
  replyTo: string | null
  /** How it appears in the chat. null: as the account does. */
  sender: ChatSender | null
  /** The people of the unit. */
  members: Array<{
    /** The id of the person. */
    id: string
    /** Their name. */
    name: string
    /** What they may do: editors write, approvers approve and reject. */
    roles: Array<UnitRole>
  }>
  /** This month's quota, one entry for each channel. */
  ledger: Array<LedgerEntry>
}

/** A person with roles in a unit. */
export type UnitMember = {
  /** The id of the person. */
  id: string
  /** Their name. */
  name: string
  /** Their e-mail address. */
  email: string
  /** What they may do in the unit: editors write, approvers approve and reject. */
  roles: Array<UnitRole>
}

/** All members of a unit, by name, on one page. */
export type UnitMemberPage = {
  /** The items of this page. */
  items: Array<UnitMember>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** A unit's quota of one month, in pushes. */
export type UnitQuota = {
  /** The month, yyyy-mm, in the installation's time zone of quota. */
  month: string
  /** One entry for each channel. */
  channels: Array<{
    /** The channel. */
    channel: Channel
    /** The unit's own allotment. */
    unit: {
      /** The limit of the month. */
      limit: number
      /** Reserved for approved messages that are not finished. */
      reserved: number
      /** Used by sends. */
      committed: number
    }
    /** The pool that all units share; it covers use beyond the allotment. */
    pool: {
      /** The limit of the month. */
      limit: number
      /** Reserved for approved messages that are not finished. */
      reserved: number
      /** Used by sends. */
      committed: number
    }
    /** How much of the allotment is used: `ok`; `warning` from 80 % on; `exhausted`. */
    threshold: 'ok' | 'warning' | 'exhausted'
    /** What reserves it, the largest first, at most 100. */
    holds: Array<QuotaHold>
  }>
}

/** Query parameters, such as those of `GET /v1/units/{id}/quota`. */
export type UnitQuotaQuery = {
  /** The month, yyyy-mm. Default: this one, in the installation's time zone of quota. */
  month?: string
  /** Accepted, so that a console can send it with every request, and not used: this operation knows the unit otherwise. */
  unitId?: string
}

/** A unit, as system administrators see it. */
export type UnitRecord = {
  /** The id of the unit. */
  id: string
  /** Its name. Unique. */
  name: string
  /** Keys of an `administrative` unit may use the Identity API. */
  kind: 'ordinary' | 'administrative'
  /** The IANA time zone of its quiet hours. */
  timeZone: string
  /** Its name as recipients read it in mails and on pages, and the sender of its mails. Unique. null: `name`, and the installation's sender. */
  displayName: LocalisedText | null
  /** Where answers to its mails go. null: to the installation's address, from which all mails are sent. */
  replyTo: string | null
  /** How it appears in the chat. null: as the account does. */
  sender: ChatSender | null
}

/** One page of units, by name. */
export type UnitRecordPage = {
  /** The items of this page. */
  items: Array<UnitRecord>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** You belong to several units: pass unitId. It has no details. */
export type UnitRequiredError = {
  /** Identifies the error. Branch on it. */
  code: 'unit_required'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** The role of a person in a unit: editors write, approvers approve or reject. */
export type UnitRole = 'editor' | 'approver'

/** No signing key has this id. It has no details. */
export type UnknownKeyError = {
  /** Identifies the error. Branch on it. */
  code: 'unknown_key'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
}

/** Changes to a binding, at least one. Omitted fields are those of the version that waits for approval, if there is one, otherwise of the one in force. */
export type UpdateEventBinding = {
  /** The system whose events it applies to: 1 to 100 characters without spaces, slashes or control characters. */
  source?: string
  /** The type of event it applies to: 1 to 200 characters. */
  type?: string
  /** The id of the category of the messages, from GET /v1/categories. */
  categoryId?: string
  /** The id of a template of the unit. null: none; without a scenarioId either, events are recorded with the error no_template. */
  templateId?: string | null
  /** The recipients of the messages or runs. With a scenarioId: event_subjects. */
  audience?: EventAudience
  /** The id of a scenario of the unit, in place of a template: events start runs of it. It must not be retired, and its category is the categoryId. null: events create messages. */
  scenarioId?: string | null
  /** `subject`: a person with an open run of the scenario keeps it, and gets no other. `event`: each event starts a run of its own. Only with a scenarioId; null: `subject`. */
  runPer?: 'subject' | 'event' | null
  /** The ids of the only signing keys that this binding accepts; null: all. Events signed with others get the error no_binding. */
  keyIds?: Array<string> | null
  /** Whether events create messages or start runs. At most one binding of each (source, type) can be enabled in the whole installation. */
  enabled?: boolean
}

/** Changes to a schedule, at least one. Omitted fields are unchanged. Its type cannot change, nor whether it creates messages or starts runs. */
export type UpdateSchedule = {
  /** A name for people: 1 to 200 characters. It must not name a person. */
  name?: string
  /** When it fires, ISO 8601 with an offset, in the future. Only of a schedule that fires once. */
  at?: string
  /** After how many seconds it fires, 1 to 31,622,400. Only of a delay. */
  delaySeconds?: number
  /** When it fires: five fields, minute, hour, day of the month, month and day of the week, with `*`, lists, ranges, steps and names. Two occurrences are at least 5 minutes apart, also around midnight. Where both days are given, either suffices. Only of a recurring schedule. */
  cron?: string
  /** The IANA zone by whose clocks it recurs. A time that comes twice counts the first time; one that is skipped counts at the end of the gap, all of one gap once. Only of a recurring schedule. */
  timeZone?: string
  /** Replaces the message of a schedule that has one. */
  message?: ScheduledMessage
  /** Replaces the scenario, audience and variables of a schedule that has one. */
  scenario?: ScheduledScenario
  /** false: no further occurrences. true: occurrences from now on; a delay starts again, and failures are counted from 0. */
  enabled?: boolean
}

/** Changes to a subject, at least one. Omitted fields are unchanged. */
export type UpdateSubject = {
  /** The new stage. One before the current stage is ignored. */
  stage?: Stage
  /** The fields of the profile to change; others stay. */
  profile?: {
    /** The name to show; null: none. */
    displayName?: string | null
    /** The language of messages to the subject. zh-TW for a new one. */
    locale?: Locale
    /** Roles in the institution. A list replaces the previous one. */
    roles?: Array<SubjectRole>
    /** Organisational units, such as departments. A list replaces the previous one. */
    orgUnits?: Array<string>
    /** Classes. A list replaces the previous one. */
    classIds?: Array<string>
    /** Other attributes, by name. In an update each one is set separately; null removes it. */
    attributes?: Record<string, unknown>
  }
  /** How the first contact came about. Ignored if that is recorded. */
  acquisition?: Acquisition
  /** Tags to add and to remove; others stay. */
  tags?: {
    /** Tags to add, at most 200: ASCII, `namespace:value`. */
    add?: Array<string>
    /** Tags to remove, at most 200. Unknown ones are ignored. */
    remove?: Array<string>
  }
}

/** A button that opens a link. A tap is not reported. */
export type UriAction = {
  /** Opens a link. */
  kind: 'uri'
  /** What the button says. */
  label: LocalisedText
  /** Where the button leads. */
  url: string
}

/** The request is invalid; details.issues lists what and where. */
export type ValidationError = {
  /** Identifies the error. Branch on it. */
  code: 'validation_error'
  /** What went wrong and what to do next, in English, for people. May change. */
  message: string
  /** What is wrong with the request, and where. */
  details: {
    /** What is wrong, in the order of the request; at most 50. */
    issues: Array<Issue>
  }
}

/** Whether the caller may do this now; if not, the error that the call would return. */
export type Verdict = {
  /** Whether the caller may do this now. */
  allowed: boolean
  /** The code of the error that the call would return now. Omitted if it is allowed. */
  code?: string
  /** Why not, and what to do, in English, for people. Omitted if it is allowed. */
  message?: string
  /** Why a version that waits cannot be in force: its category is disabled, or another scenario has its triggers, or another binding its events. Omitted if it is allowed, or if `code` says why. */
  reason?: 'category_disabled' | 'triggers_taken' | 'events_taken'
}

/** Content that a channel cannot carry or no channel may, or, as a warning, what may surprise its author. */
export type Violation = {
  /** Where, in the producer's own messages: `messages[0].cards[2].title.en`. */
  path: string
  /** What is wrong, such as `too_long`, `https_required`, `invisible_character` or `unknown_reference`. /docs/api/messages lists all codes. */
  code: string
  /** The limit that is exceeded, where there is one, in its own unit. */
  limit?: number
  /** What is wrong and what to do, in both languages, for people. */
  message: LocalisedText
}

/** A node that waits: for a time, or until one. Exactly one of the three fields is given. */
export type WaitNode = {
  /** The id of the node in its scenario: 1 to 64 letters, digits, _ or -. */
  id: string
  /** Waits for a time. */
  kind: 'wait'
  /** How long, in seconds. */
  seconds?: number
  /** Until when, at most a year (366 days) ahead. A past time does not wait. */
  until?: string
  /** The variable that holds until when, as `until`. */
  untilVariable?: string
}

/** What waits for a decision of an approver. */
export type WaitingApproval = {
  /** What waits: a message, or a version of a template, of an event binding or of a scenario. */
  kind: 'message' | 'template' | 'event_binding' | 'scenario'
  /** The id of the message, template, binding or scenario. */
  id: string
  /** The version that waits. Pass it to approve and reject, so that no other one is decided. */
  version: number
  /** Of a message its title; the name of a template or scenario; source and type of the events of a binding. The name of the category instead of a personal message for callers who may not see its text. */
  title: LocalisedText
  /** Who wrote this version; of a message, who created it. */
  author: Actor
  /** Since when it waits, in UTC. */
  since: string
  /** What the caller may do with it now. */
  allowed: Decisions
}

/** One page of what waits for approval in a unit, the oldest first. */
export type WaitingApprovalPage = {
  /** The items of this page. */
  items: Array<WaitingApproval>
  /** Pass it as `cursor` to get the next page, with the same filters; null on the last page. */
  nextCursor: string | null
}

/** Query parameters, such as those of `GET /v1/approvals`. */
export type WaitingApprovalQuery = {
  /** `nextCursor` of the previous page; omit it for the first page. Its form may change. */
  cursor?: string
  /** The most items of a page, 1 to 200; 50 by default. */
  limit?: number
  /** The id of the unit to act for. Required for sessions of people in several units, and by default the only unit of the person; not used for producer keys, which act for their own unit. An empty text counts as omitted. */
  unitId?: string
}

/** How many events were stored. Workers process them afterwards. */
export type WebhookReceipt = {
  /** New events. Repeated ones are not counted. */
  stored: number
  /** The number of new events that could not be parsed. They are stored and have no effect. Omitted if there are none. */
  unreadable?: number
  /** The number of events that happened longer ago than events are kept (RETENTION_WEBHOOKS_DAYS). They are dropped. Omitted if there are none. */
  outdated?: number
}
