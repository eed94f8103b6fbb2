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
import { CountsPerSecond } from '@grafana/grafana-foundation-sdk/units'

/** The Prometheus that the reader of a dashboard chooses. */
const datasource = { type: 'prometheus', uid: '$datasource' }

/** Width and height of panels, in the 24 columns of a dashboard. */
const sizes = { figure: { width: 4, height: 4 }, lines: { width: 8, height: 8 } }

/** What a panel shows. `queries`: PromQL by legend, in which `{{label}}` stands for the value of a label. */
export type PanelSpec = { title: string; description: string; unit: string; queries: Record<string, string> }

/** Lines over time. */
export function lines(spec: PanelSpec): Builder<Panel> {
  return panelOf(new LinesBuilder(), spec, sizes.lines)
    .min(0)
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
}

/** What one metric shows: a line for each value of the labels `by`. */
export type Labelled = Pick<PanelSpec, 'title' | 'description'> & { metric: string; by: string[] }

/** How often a counter rises in a second. */
export function rates({ metric, by, ...spec }: Labelled): Builder<Panel> {
  return lines({ ...spec, unit: CountsPerSecond, queries: { [legendOf(by)]: rate(metric, ...by) } })
}

/** What is read from the rows. */
export function levels({ metric, by, ...spec }: Labelled & { unit: string }): Builder<Panel> {
  return lines({ ...spec, queries: { [legendOf(by)]: rows(metric, ...by) } })
}

function legendOf(labels: string[]): string {
  return labels.map((label) => `{{${label}}}`).join(' ')
}

/** One figure, as it is now; red from `alarming` on. */
export function figure({ alarming, ...spec }: PanelSpec & { alarming?: number }): Builder<Panel> {
  return panelOf(new StatBuilder(), spec, sizes.figure)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .thresholds(redFrom(alarming))
}

function panelOf<P extends LinesBuilder | StatBuilder>(
  panel: P,
  { title, description, unit, queries }: PanelSpec,
  { width, height }: { width: number; height: number },
): P {
  panel.title(title).description(description).datasource(datasource).unit(unit).span(width).height(height)
  for (const target of targetsOf(queries)) panel.withTarget(target)
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
