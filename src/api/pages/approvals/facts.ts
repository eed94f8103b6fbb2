import { html, type Markup } from '../../../channels/email/markup.ts'
import { exclusions, keysOf, type Locale, locales } from '../../../contract/enums.ts'
import type { EventBinding } from '../../../contract/events/binding.ts'
import type { CanonicalMessage } from '../../../contract/messages/content.ts'
import type { MessageDetail } from '../../../contract/messages/detail.ts'
import type { Graph } from '../../../contract/scenarios/graph.ts'
import { actionGroups } from '../../../domain/actions.ts'
import type { Forecast, Snapshot } from '../../../domain/audience.ts'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { channelEntries } from '../../../domain/channel-entries.ts'
import { localise } from '../../../domain/localise.ts'
import { edgesFrom } from '../../../domain/scenario/edges.ts'
import { saidBy } from '../../../domain/scenario/said.ts'
import { mayBeWebUrl } from '../../../domain/web-link.ts'
import type { BindingSide, BindingView } from '../../../services/approvals/bindings.ts'
import type { ViewHead } from '../../../services/approvals/kind.ts'
import type { MessageView } from '../../../services/approvals/messages.ts'
import type { ScenarioSide, ScenarioView } from '../../../services/approvals/scenarios.ts'
import type { TemplateView } from '../../../services/approvals/templates.ts'
import { driftLines } from '../../../services/notices/drift-lines.ts'
import { type Compared, changeLines, hasChanged, settingsIn, textsIn } from './changes.ts'
import { dateOf, monthOf, numberOf } from './format.ts'
import { patternLines } from './pattern-lines.ts'
import { comparedSections, lookupLine, type Reading, timeText, triggerLines } from './scenario-lines.ts'
import { scenarioWords } from './scenario-words.ts'
import { authorName, scheduleLines, startLine } from './schedule-lines.ts'
import { type ApprovalWords, approvalWords } from './words.ts'

/** What the pages show of one thing that waits. */
export type ApprovalView = MessageView | TemplateView | BindingView | ScenarioView

/** A line of the page: what it is about, and its paragraphs. */
type Fact = [label: keyof ApprovalWords['labels'], paragraphs: (string | Markup)[]]

/** Everything about it but the content, in the order in which an approver asks. */
export function factList(locale: Locale, view: ApprovalView): Markup {
  const words = approvalWords[locale]
  const facts = factsOf(locale, view).filter(([, paragraphs]) => paragraphs.length > 0)
  const rows = facts.map(
    ([label, paragraphs]) =>
      html`<dt>${words.labels[label]}</dt><dd>${paragraphs.map((one) => (typeof one === 'string' ? html`<p>${one}</p>` : one))}</dd>\n`,
  )
  return html`<dl class="facts">\n${rows}</dl>\n`
}

function factsOf(locale: Locale, view: ApprovalView): Fact[] {
  switch (view.kind) {
    case 'message':
      return ofMessage(locale, view)
    case 'template':
      return ofTemplate(locale, view)
    case 'event_binding':
      return ofBinding(locale, view)
    case 'scenario':
      return ofScenario(locale, view)
  }
}

function ofMessage(locale: Locale, view: MessageView): Fact[] {
  const { detail, unit } = view
  const words = approvalWords[locale]
  const { snapshot, expiresAt, remindAt, remindTo } = detail
  const date = (at: string) => dateOf(locale, unit.timeZone, at)
  const drift = detail.drift ? driftLines(locale, unit.timeZone, detail.drift) : []
  const planned = detail.scheduleAt && view.startsAt === null ? [words.planned(date(detail.scheduleAt))] : []
  return [
    ['why', view.since === null ? [] : whyAsked(locale, view)],
    ['changed', drift],
    ['schedule', detail.origin === 'schedule' ? scheduleLines(locale, unit.timeZone, view.schedule) : []],
    ['when', view.since === null ? [] : [startText(locale, view), ...planned]],
    ['people', snapshot ? [peopleText(locale, snapshot.recipients)] : []],
    ['audience', audienceLines(locale, detail.audience, namesOf(locale, detail))],
    ['excluded', snapshot ? excludedLines(locale, snapshot.recipients) : []],
    ['cost', view.since === null ? [] : costLines(locale, view)],
    ['reminder', remindAt ? [date(remindAt), words.remindTo[remindTo ?? 'all'], words.reminderContent] : []],
    ['expires', expiresAt ? [date(expiresAt)] : []],
    ['links', messageLinkLines(locale, view)],
    ['warnings', (snapshot?.warnings ?? []).map(({ message }) => localise(locale, message))],
    ...whoAndWhen(locale, view),
  ]
}

function messageLinkLines(locale: Locale, view: MessageView): string[] {
  const lines = linkLines(locale, view, view.detail.content?.messages ?? [])
  return lines.length > 0 && view.mails.length > 0 ? [...lines, approvalWords[locale].trackedMails] : lines
}

/** Where the web links of a content really lead, if not to what its buttons say. */
function linkLines(
  locale: Locale,
  { trackedAddress }: ViewHead<ApprovalView['kind']>,
  messages: readonly CanonicalMessage[],
): string[] {
  return trackedAddress !== null && hasWebLinks(messages)
    ? [approvalWords[locale].tracked(trackedAddress)]
    : []
}

function hasWebLinks(messages: readonly CanonicalMessage[]): boolean {
  return actionGroups(messages)
    .flat()
    .some(({ action }) => action.kind === 'uri' && mayBeWebUrl(action.url))
}

/** The reason of the automatic check, or of the return to review. Without a check, the rule of the category. */
function whyAsked(locale: Locale, { detail: { review, drift }, manual }: MessageView): string[] {
  const { why, review: reasons, drift: drifts } = approvalWords[locale]
  if (review.drift) return [drift ? drifts[drift.reason] : why.drift]
  const reason = keysOf(reasons).find((one) => one === review.reason)
  if (reason) return [reasons[reason]]
  return [manual ? reasons.category_not_auto : why.message]
}

/** When the send begins if it is approved now. */
export function startText(locale: Locale, { startsAt, unit }: MessageView): string {
  return startsAt === null ? approvalWords[locale].atOnce : dateOf(locale, unit.timeZone, startsAt)
}

/** How many people, and by which channels. */
export function peopleText(locale: Locale, { total, byChannel }: Snapshot['recipients']): string {
  const { people, perChannel, channels, comma, colon } = approvalWords[locale]
  const used = channelEntries(byChannel).map(([channel, count]) =>
    perChannel(channels[channel], numberOf(locale, count)),
  )
  return `${people(numberOf(locale, total))}${used.length > 0 ? colon : ''}${used.join(comma)}`
}

function excludedLines(
  locale: Locale,
  { excluded, frequency = 0, unknown }: Snapshot['recipients'],
): string[] {
  const words = approvalWords[locale]
  const counts = [
    ...exclusions.map((reason) => [reason, excluded[reason]] as const),
    ['frequency', frequency],
    ['unknown', unknown],
  ] as const
  const lines = counts
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => words.exclusions[reason](numberOf(locale, count)))
  return lines.length > 0 ? lines : [words.nobodyExcluded]
}

function costLines(locale: Locale, { quota, unit, detail, startsAt, chatCalls }: MessageView): string[] {
  const words = approvalWords[locale]
  const month = monthOf(locale, unit.timeZone, startsAt ?? new Date().toISOString())
  const number = (count: number) => numberOf(locale, count)
  const lines = channelEntries(quota).map(([channel, of]) => {
    const parts = [words.cost(number(of.estimatedPushes), number(of.unitRemaining), month)]
    if (channel === 'chat' && chatCalls !== null && chatCalls > 1) parts.push(words.calls(number(chatCalls)))
    if (of.poolRemaining > 0) parts.push(words.pool(number(of.poolRemaining)))
    return `${words.channels[channel]}${words.colon}${parts.join(locale === 'en' ? '; ' : '；')}`
  })
  if (exceeds(quota)) lines.push(words.short)
  return detail.remindAt ? [...lines, words.twice] : lines
}

function exceeds(quota: Forecast['quota']): boolean {
  return channelEntries(quota).some(([, { wouldExceed }]) => wouldExceed)
}

function whoAndWhen(
  locale: Locale,
  { category, author, since, unit }: ViewHead<ApprovalView['kind']>,
): Fact[] {
  return [
    ['category', [localise(locale, category)]],
    ['author', [authorName(locale, author)]],
    ['since', since === null ? [] : [dateOf(locale, unit.timeZone, since)]],
  ]
}

function ofTemplate(locale: Locale, view: TemplateView): Fact[] {
  const words = approvalWords[locale]
  const { template, before } = view
  const inForce = template.inForce === template.version ? null : String(template.inForce)
  return [
    ['why', view.since === null ? [] : [words.why.template]],
    ['version', [words.versionOf(String(template.version), inForce)]],
    ['changed', before ? changeLines(locale, before.version, textChanges(locale, view, before)) : []],
    ['variables', variableLines(locale, template)],
    ['links', linkLines(locale, view, template.messages)],
    ['effect', view.since === null ? [] : [words.effect.template]],
    ...whoAndWhen(locale, view),
  ]
}

function variableLines(locale: Locale, { variables }: Pick<TemplateText, 'variables'>): string[] {
  const { optional, byDefault } = approvalWords[locale]
  return variables.map(({ name, required, default: value }) => {
    const shown = value === undefined ? name : byDefault(name, JSON.stringify(value))
    return required ? shown : optional(shown)
  })
}

type TemplateText = Pick<TemplateView['template'], 'subject' | 'messages' | 'variables'>

/** What two versions are compared by: the subject and each block by language, what the block holds beside, the variables. */
function textChanges(
  locale: Locale,
  { template: now, names }: TemplateView,
  before: TemplateText,
): Compared[] {
  const nameOf = (id: string) => names.get(id) ?? id
  const words = approvalWords[locale]
  const blocks = Math.max(before.messages.length, now.messages.length)
  const inLanguages = (what: string, old: unknown, fresh: unknown) =>
    locales.map((language) =>
      lines(
        words.inLanguage(what, words.languages[language]),
        textsIn(old, language),
        textsIn(fresh, language),
      ),
    )
  return [
    ...inLanguages(words.blocks.subject, before.subject, now.subject),
    ...Array.from({ length: blocks }, (_, index) => {
      const [what, old, fresh] = [words.block(String(index + 1)), before.messages[index], now.messages[index]]
      const parts = [
        ...inLanguages(what, old, fresh),
        lines(what, settingsIn(old, nameOf), settingsIn(fresh, nameOf)),
      ]
      return parts.some(hasChanged) ? parts : [stored(what, old, fresh)]
    }).flat(),
    {
      what: words.labels.variables,
      before: { stored: before.variables, sections: [variableLines(locale, before)] },
      now: { stored: now.variables, sections: [variableLines(locale, now)] },
    },
  ]
}

/** What is compared by the lines that show it. */
function lines(what: string, before: string[], now: string[]): Compared {
  return { what, before: { stored: before, sections: [before] }, now: { stored: now, sections: [now] } }
}

/** What has no lines of its own, and is shown as it is stored. */
function stored(what: string, before: unknown, now: unknown): Compared {
  return { what, before: { stored: before, sections: [] }, now: { stored: now, sections: [] } }
}

function ofBinding(locale: Locale, view: BindingView): Fact[] {
  const words = approvalWords[locale]
  const { rule, recipients, before } = view
  const now = sidesOf(locale, view, view.groups)
  const changes = before ? bindingChanges(locale, view, before) : []
  return [
    ['why', view.since === null ? [] : [words.why.event_binding]],
    ['events', now.events],
    ['changed', before ? changeLines(locale, before.version, changes) : []],
    ['audience', now.audience],
    ['people', recipients ? [peopleText(locale, recipients)] : []],
    ['excluded', recipients ? excludedLines(locale, recipients) : []],
    ['template', now.template],
    ['scenario', now.scenario],
    [
      'links',
      view.scenario
        ? turnLinkLines(locale, view, view.scenario.now)
        : linkLines(locale, view, view.template?.messages ?? []),
    ],
    ['keys', now.keys],
    ['enabled', now.enabled],
    ['effect', view.since === null ? [] : [words.effect[effectOf(rule)]]],
    ...whoAndWhen(locale, view),
  ]
}

function bindingChanges(locale: Locale, view: BindingView, before: BindingSide): Compared[] {
  const { labels } = approvalWords[locale]
  const [old, fresh] = [sidesOf(locale, before, view.groups), sidesOf(locale, view, view.groups)]
  const [was, is] = [storedParts(before), storedParts(view)]
  return keysOf(fresh).map((label) => ({
    what: labels[label],
    before: { stored: was[label], sections: [old[label]] },
    now: { stored: is[label], sections: [fresh[label]] },
  }))
}

/** What is stored of each part of a binding that `sidesOf` puts in words. */
function storedParts({ rule }: BindingSide): Record<keyof ReturnType<typeof sidesOf>, unknown> {
  const { source, type, categoryId, audience, templateId, scenarioId, runPer, keyIds, enabled } = rule
  return {
    events: [source, type],
    category: categoryId,
    audience,
    template: templateId,
    scenario: [scenarioId, runPer],
    keys: keyIds,
    enabled,
  }
}

function effectOf({ scenarioId, audience }: BindingSide['rule']) {
  if (scenarioId !== null) return 'runs'
  return audience.kind === 'query' ? 'query' : 'event_binding'
}

/** What a version of a binding says, in words. */
function sidesOf(locale: Locale, side: BindingSide, groups: Map<string, string>) {
  const words = approvalWords[locale]
  const { rule, template, scenario, category } = side
  return {
    events: [`${rule.source}${words.colon}${rule.type}`],
    category: [localise(locale, category)],
    audience: audienceLines(locale, rule.audience, (id) => groups.get(id) ?? id),
    template: scenario ? [] : [templateText(words, template)],
    scenario: scenario ? scenarioLines(words, rule, scenario) : [],
    keys: [rule.keyIds ? rule.keyIds.join(words.comma) : words.anyKey],
    enabled: [rule.enabled ? words.yes : words.no],
  }
}

function templateText(words: ApprovalWords, template: BindingSide['template']): string {
  return template ? words.templateVersion(template.name, String(template.version)) : words.noTemplate
}

function scenarioLines(
  words: ApprovalWords,
  { runPer }: BindingSide['rule'],
  { now: { name, version }, inForce }: NonNullable<BindingSide['scenario']>,
): string[] {
  return [words.scenarioVersion(name, inForce ? String(version) : null), words.runsPer[runPer ?? 'subject']]
}

function ofScenario(locale: Locale, view: ScenarioView): Fact[] {
  const words = approvalWords[locale]
  const ours = scenarioWords[locale]
  const { now, before, since, inForce, version, reason, turns, staysPaused } = view
  const { content } = now
  const turnsText = numberOf(locale, turns)
  const lookups = content.nodes.flatMap((node) => (node.kind === 'lookup' ? [lookupLine(locale, node)] : []))
  const jumps = content.nodes.some(({ kind }) => kind === 'jump') ? [ours.jumpsCost] : []
  return [
    ['why', reason === null ? [] : [ours.reasons[reason]]],
    [
      'version',
      [words.versionOf(String(version), inForce === null || inForce === version ? null : String(inForce))],
    ],
    ['changed', before ? changeLines(locale, before.version, scenarioChanges(locale, view, before)) : []],
    ['purpose', content.description === undefined ? [] : [content.description]],
    ['pattern', view.pattern ? patternLines(locale, view.unit.timeZone, view.pattern) : []],
    ['triggers', startLines(locale, view)],
    ['lookups', [...new Set(lookups)]],
    ['variables', variableLines(locale, { variables: content.variables ?? [] })],
    ['cost', [...view.channels.map((channel) => ours.cost[channel](turnsText)), ...jumps]],
    ['late', lateLines(locale, content)],
    ['links', turnLinkLines(locale, view, now)],
    ['warnings', view.warnings.map(({ message }) => localise(locale, message))],
    ['effect', since === null ? [] : [words.effect.scenario, ...(staysPaused ? [ours.staysPaused] : [])]],
    ...whoAndWhen(locale, view),
  ]
}

/** What starts it: schedules that are there now, and what the version says of triggers. */
function startLines(locale: Locale, { now: { content }, schedules, unit }: ScenarioView): string[] {
  const planned = schedules.map((schedule) => startLine(locale, unit.timeZone, schedule))
  const { follow, keywords = [] } = content.triggers ?? {}
  const byItself = follow === true || keywords.length > 0
  return [...planned, ...(byItself || planned.length === 0 ? triggerLines(locale, content) : [])]
}

/** Turns are not tracked, whatever their category says. */
function turnLinkLines(
  locale: Locale,
  { trackedAddress }: ViewHead<ApprovalView['kind']>,
  { content }: ScenarioSide,
): string[] {
  const messages = saidBy(content.nodes).flatMap((said) => said.messages)
  return trackedAddress !== null && hasWebLinks(messages) ? [approvalWords[locale].untrackedTurns] : []
}

function lateLines(locale: Locale, { lateSeconds }: ScenarioSide['content']): string[] {
  return lateSeconds === undefined ? [] : [scenarioWords[locale].late(timeText(locale, lateSeconds))]
}

/** What two versions of a scenario are compared by: its facts, each node that either of them has, and their order. */
function scenarioChanges(
  locale: Locale,
  { now, unit, names }: ScenarioView,
  before: ScenarioSide,
): Compared[] {
  const words = approvalWords[locale]
  const reading = { locale, timeZone: unit.timeZone, names }
  const [old, fresh] = [scenarioFacts(locale, before), scenarioFacts(locale, now)]
  const ids = [...new Set([...before.content.nodes, ...now.content.nodes].map(({ id }) => id))]
  return [
    ...keysOf(fresh).map((label) => ({ what: words.labels[label], before: old[label], now: fresh[label] })),
    ...ids.map((id) => ({ what: id, before: nodeIn(reading, before, id), now: nodeIn(reading, now, id) })),
    ...orderChanges(locale, before, now, ids),
  ]
}

function scenarioFacts(locale: Locale, { name, category, categoryId, content }: ScenarioSide) {
  const { description, triggers, variables = [], lateSeconds } = content
  return {
    name: { stored: name, sections: [[name]] },
    category: { stored: categoryId, sections: [[localise(locale, category)]] },
    purpose: { stored: description, sections: [description === undefined ? [] : [description]] },
    triggers: { stored: triggers, sections: [triggerLines(locale, content)] },
    variables: { stored: variables, sections: [variableLines(locale, { variables })] },
    late: { stored: lateSeconds, sections: [lateLines(locale, content)] },
  }
}

/** A node with the edges that leave it, in their order: the first that holds is followed. */
function nodeIn(reading: Reading, { content }: ScenarioSide, id: string): Compared['now'] {
  const node = content.nodes.find((one) => one.id === id)
  if (!node) return { stored: undefined, sections: [] }
  return {
    stored: [node, edgesFrom(content.edges, id)],
    sections: comparedSections(reading, content, node),
  }
}

/** The step that is the first, and the order in which nodes and edges that both versions have are written. */
function orderChanges(
  locale: Locale,
  { content: before }: ScenarioSide,
  { content: now }: ScenarioSide,
  ids: string[],
): Compared[] {
  const { order } = scenarioWords[locale]
  const first = lines(order.first, [before.nodes[0]!.id], [now.nodes[0]!.id])
  const common = ids.filter((id) => [before, now].every(({ nodes }) => nodes.some((one) => one.id === id)))
  const nodesOf = ({ nodes }: Graph) => nodes.map(({ id }) => id).filter((id) => common.includes(id))
  const steps = lines(order.steps, nodesOf(before), nodesOf(now))
  const sameEdges = ids.every(
    (id) => canonicalJson(edgesFrom(before.edges, id)) === canonicalJson(edgesFrom(now.edges, id)),
  )
  const edgesOf = ({ edges }: Graph) => (sameEdges ? edges.map(({ from, to }) => `${from} → ${to}`) : [])
  return [first, steps, lines(order.edges, edgesOf(before), edgesOf(now))]
}

type AnyAudience = MessageDetail['audience'] | EventBinding['audience']
type QueryLike = Exclude<AnyAudience, { kind: 'individual' } | { kind: 'event_subjects' }>

function audienceLines(locale: Locale, audience: AnyAudience, nameOf: (id: string) => string): string[] {
  const words = approvalWords[locale]
  switch (audience.kind) {
    case 'individual':
      return [words.individuals(numberOf(locale, audience.count))]
    case 'event_subjects':
      return [words.eventSubjects]
    default:
      return queryLines(locale, audience, nameOf)
  }
}

function queryLines(locale: Locale, audience: QueryLike, nameOf: (id: string) => string): string[] {
  const words = approvalWords[locale]
  const named = audience.kind === 'query' ? dimensionsOf(locale, audience, nameOf) : []
  const excluded = audience.exclude ? dimensionsOf(locale, audience.exclude, nameOf) : []
  return [...(named.length > 0 ? named : [words.everybody]), ...excluded.map((line) => words.except(line))]
}

type Dimensions = NonNullable<QueryLike['exclude']>

function dimensionsOf(
  locale: Locale,
  { roles, stages, orgUnits, classIds, groups, tags, history }: Dimensions,
  nameOf: (id: string) => string,
): string[] {
  const words = approvalWords[locale]
  const values = {
    roles: roles?.map((role) => words.roles[role]),
    stages: stages?.map((stage) => words.stages[stage]),
    orgUnits,
    classIds,
    groups: groups?.map(nameOf),
    tags,
    history: history?.map((entry) => Object.values(entry).join(' ')),
  }
  return keysOf(values).flatMap((dimension) => {
    const list = values[dimension] ?? []
    return list.length === 0 ? [] : [`${words.dimensions[dimension]}${words.colon}${list.join(words.comma)}`]
  })
}

/** The names of the groups of a message, with the key that keeps each. */
function namesOf(locale: Locale, { audienceGroups }: MessageDetail): (id: string) => string {
  return (id) => {
    const group = audienceGroups.find((one) => one.id === id)
    if (!group) return id
    return group.keptBy ? approvalWords[locale].keptBy(group.name, group.keptBy.name) : group.name
  }
}
