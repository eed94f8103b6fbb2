import { keysOf, type Locale } from '../../../contract/enums.ts'
import { localise } from '../../../domain/content/localise.ts'
import type { BindingSide, BindingView } from '../../../services/approvals/bindings.ts'
import { kitWords } from '../kit/words.ts'
import { type AudienceNames, audienceLines, excludedLines, peopleText } from './audience-lines.ts'
import { type Compared, changeLines } from './changes.ts'
import { type Fact, whoAndWhen } from './fact.ts'
import { linkLines, turnLinkLines } from './link-lines.ts'
import { type FactWords, factWords } from './words.ts'

/** A version of an event binding. */
export function bindingFacts(locale: Locale, view: BindingView): Fact[] {
  const words = factWords[locale]
  const { rule, recipients, before } = view
  const now = sidesOf(locale, view, namesIn(view))
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
  const { labels } = factWords[locale]
  const names = namesIn(view)
  const [old, fresh] = [sidesOf(locale, before, names), sidesOf(locale, view, names)]
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

function namesIn({ groups, valueNames }: BindingView): AudienceNames {
  return { group: (id) => groups.get(id) ?? id, value: valueNames }
}

/** What a version of a binding says, in words. */
function sidesOf(locale: Locale, side: BindingSide, names: AudienceNames) {
  const words = factWords[locale]
  const { comma, colon } = kitWords[locale]
  const { rule, template, scenario, category } = side
  return {
    events: [`${rule.source}${colon}${rule.type}`],
    category: [localise(locale, category)],
    audience: audienceLines(locale, rule.audience, names),
    template: scenario ? [] : [templateText(words, template)],
    scenario: scenario ? scenarioLines(words, rule, scenario) : [],
    keys: [rule.keyIds ? rule.keyIds.join(comma) : words.anyKey],
    enabled: [rule.enabled ? words.yes : words.no],
  }
}

function templateText(words: FactWords, template: BindingSide['template']): string {
  return template ? words.templateVersion(template.name, String(template.version)) : words.noTemplate
}

function scenarioLines(
  words: FactWords,
  { runPer }: BindingSide['rule'],
  { now: { name, version }, inForce }: NonNullable<BindingSide['scenario']>,
): string[] {
  return [words.scenarioVersion(name, inForce ? String(version) : null), words.runsPer[runPer ?? 'subject']]
}
