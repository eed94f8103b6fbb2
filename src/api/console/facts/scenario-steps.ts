import type { Locale } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { ScenarioNode } from '../../../contract/scenarios/graph.ts'
import { mapTexts } from '../../../domain/content/texts.ts'
import { farewellContent } from '../../../domain/scenario/farewell.ts'
import type { GraphLayout, GraphSizes } from '../../../domain/scenario/layout.ts'
import { withNames } from '../../../domain/scenario/measured-text.ts'
import { textsOf } from '../../../domain/scenario/node-texts.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { ScenarioView } from '../../../services/approvals/scenarios.ts'
import type { DrawnVersion } from '../../../services/layouts/kept-layout.ts'
import { contentSection } from './content.ts'
import { graphPicture } from './graph-picture.ts'
import { nodeLines, type Reading, waysFrom } from './scenario-lines.ts'
import { scenarioWords } from './scenario-words.ts'
import { factWords } from './words.ts'

/** Lays out the picture of a version. */
export type LayoutOf = (version: DrawnVersion, sizes: GraphSizes) => Promise<GraphLayout>

/**
 * What a version of a scenario says: the picture of its graph, each node with its texts and where it leads, and the
 * farewell.
 */
export async function scenarioSteps(
  locale: Locale,
  { now, unit, names, keysReply }: Pick<ScenarioView, 'now' | 'unit' | 'names' | 'keysReply'>,
  layoutOf: LayoutOf,
): Promise<Markup> {
  const reading = { locale, timeZone: unit.timeZone, names, keysReply }
  const { content } = now
  const steps = content.nodes.map((node, index) => stepOf(reading, content.nodes, node, index))
  const { scenarioId, version } = now
  const picture = await graphPicture(reading, content, (sizes) => layoutOf({ scenarioId, version }, sizes))
  return html`${picture}${steps}${farewellOf(content.farewell)}`

  function farewellOf(text: LocalisedText | undefined): Markup {
    if (text === undefined) return html``
    const blocks = contentSection(locale, farewellContent(text), { names, trackedAddress: null })
    return html`<section class="step"><h3>${factWords[locale].labels.farewell}</h3>
<p class="quiet">${scenarioWords[locale].farewell.when}</p>${blocks}</section>\n`
  }

  function stepOf(of: Reading, nodes: ScenarioNode[], node: ScenarioNode, index: number): Markup {
    const words = scenarioWords[locale]
    const numberOf = (id: string) => nodes.findIndex((one) => one.id === id)
    const ways = waysFrom(locale, content, node).map(({ when, to }) => {
      const target = numberOf(to)
      return words.leads(
        when || words.cases.done,
        words.to(String(target + 1), words.kinds[nodes[target]!.kind]),
      )
    })
    const lines = [...nodeLines(of, node), ...ways].map((line) => html`<li>${line}</li>`)
    const blocks = textsOf([node]).map(({ messages }) =>
      // The links of a turn are never tracked.
      contentSection(locale, mapTexts(messages, withNames), { names, trackedAddress: null }),
    )
    return html`<section class="step"><h3>${words.step(String(index + 1), words.kinds[node.kind], node.id)}</h3>
${blocks}${lines.length > 0 ? html`<ul class="ways">${lines}</ul>` : html``}</section>\n`
  }
}
