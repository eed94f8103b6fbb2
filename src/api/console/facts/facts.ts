import type { Locale } from '../../../contract/enums.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { BindingView } from '../../../services/approvals/bindings.ts'
import type { MessageView } from '../../../services/approvals/messages.ts'
import type { ScenarioView } from '../../../services/approvals/scenarios.ts'
import type { TemplateView } from '../../../services/approvals/templates.ts'
import { bindingFacts } from './binding-facts.ts'
import type { Fact } from './fact.ts'
import { messageFacts } from './message-facts.ts'
import { scenarioFacts } from './scenario-facts.ts'
import { templateFacts } from './template-facts.ts'
import { factWords } from './words.ts'

/** What the pages show of one thing that waits. */
export type ApprovalView = MessageView | TemplateView | BindingView | ScenarioView

/** Everything about it but the content, in the order in which an approver asks. */
export function factList(locale: Locale, view: ApprovalView): Markup {
  const words = factWords[locale]
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
      return messageFacts(locale, view)
    case 'template':
      return templateFacts(locale, view)
    case 'event_binding':
      return bindingFacts(locale, view)
    case 'scenario':
      return scenarioFacts(locale, view)
  }
}
