import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog'
import {
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common'
import {
  type Dashboard,
  DashboardBuilder,
  DatasourceVariableBuilder,
  type Panel,
  RowBuilder,
  type ThresholdsConfig,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat'
import { PanelBuilder as LinesBuilder } from '@grafana/grafana-foundation-sdk/timeseries'

/** The Prometheus that the reader of a dashboard chooses. */
const datasource = { type: 'prometheus', uid: '$datasource' }

/** Width and height of panels, in the 24 columns of a dashboard. */
const sizes = { figure: { width: 4, height: 4 }, lines: { width: 8, height: 8 } }

/** What a panel shows. `queries`: PromQL by legend, in which `{{label}}` stands for the value of a label. */
export type Shown = { title: string; description: string; unit: string; queries: Record<string, string> }

/** Lines over time. */
export function lines({ title, description, unit, queries }: Shown): Builder<Panel> {
  const panel = new LinesBuilder()
    .title(title)
    .description(description)
    .datasource(datasource)
    .unit(unit)
    .min(0)
    .span(sizes.lines.width)
    .height(sizes.lines.height)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
  for (const target of targetsOf(queries)) panel.withTarget(target)
  return panel
}

/** One figure, as it is now; red from `alarming` on. */
export function figure({ alarming, ...shown }: Shown & { alarming?: number }): Builder<Panel> {
  const panel = new StatBuilder()
    .title(shown.title)
    .description(shown.description)
    .datasource(datasource)
    .unit(shown.unit)
    .span(sizes.figure.width)
    .height(sizes.figure.height)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .thresholds(redFrom(alarming))
  for (const target of targetsOf(shown.queries)) panel.withTarget(target)
  return panel
}

function targetsOf(queries: Record<string, string>): Builder<Dataquery>[] {
  return Object.entries(queries).map(([legend, expr], n) =>
    new DataqueryBuilder()
      .refId(String.fromCharCode('A'.charCodeAt(0) + n))
      .expr(expr)
      .legendFormat(legend)
      .range(),
  )
}

function redFrom(value: number | undefined): Builder<ThresholdsConfig> {
  const calm = { value: null, color: 'green' }
  return new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps(value === undefined ? [calm] : [calm, { value, color: 'red' }])
}

/** A dashboard: rows of panels by the title of the row. */
export function dashboardOf(
  { uid, title, description }: { uid: string; title: string; description: string },
  rows: Record<string, Builder<Panel>[]>,
): Dashboard {
  const dashboard = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['carillon'])
    .time({ from: 'now-6h', to: 'now' })
    .refresh('30s')
    .timezone('browser')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
  for (const [name, panels] of Object.entries(rows)) {
    dashboard.withRow(new RowBuilder(name))
    for (const panel of panels) dashboard.withPanel(panel)
  }
  const built = dashboard.build()
  for (const [n, panel] of built.panels!.entries()) panel.id = n + 1
  return built
}

/** The quantile of a histogram, by these labels. */
export function quantile(q: number, histogram: string, ...by: string[]): string {
  const labels = ['le', ...by].join(', ')
  return `histogram_quantile(${q}, sum by (${labels}) (rate(${histogram}_bucket[$__rate_interval])))`
}

/** How often a counter rises in a second, by these labels. */
export function rate(counter: string, ...by: string[]): string {
  return `sum by (${by.join(', ')}) (rate(${counter}[$__rate_interval]))`
}

/** What is read from the rows, which every process serves with the same value; by these labels. */
export function rows(gauge: string, ...by: string[]): string {
  return `max by (${by.join(', ')}) (${gauge})`
}
