import { type Broken, broken } from '../../../../contract/rules.ts'
import { CreateTemplate } from '../../../../contract/templates/template.ts'
import { ownName } from './acts.ts'
import { type Fields, isIn, isRecord, jsonOf, pathOf, valuesOf } from './fields.ts'
import { withCards } from './message-body.ts'
import { bodyIn, type FieldIssue, type ParseResult, readAs } from './parse-form.ts'
import type { Input } from './stand-ins.ts'

/** Where a form has the example values of variables, by name: they are no part of the template. */
export const valuesField = 'values'

/** A template has no times. */
const noTimes = 'UTC'

export function parseTemplateForm(fields: Fields): ParseResult<CreateTemplate> {
  const unlabelled = missingLabels(fields)
  if (unlabelled.length > 0) return { body: null, issues: unlabelled }
  return readAs(CreateTemplate, templateInput(fields), fields)
}

/** Variables that nobody could tell from another: the name of one that was added here says nothing. */
export function missingLabels(fields: Fields): FieldIssue<Broken>[] {
  return variablesIn(fields)
    .filter(({ name, label }) => label === '' && name.startsWith(ownName))
    .map(({ path }) => ({ name: `${path}.label.zh-TW`, why: broken('missing') as Broken, missing: true }))
}

/** What the fields of a form describe, which need not be a body yet. */
export function templateInput(fields: Fields): Input {
  return {
    ...withCards(
      bodyIn(
        fields.filter(([name]) => !isIn(name, valuesField)),
        noTimes,
      ),
    ),
  }
}

/** The example values of a form, by the name of the variable. */
export function exampleValues(fields: Fields): Record<string, unknown> {
  const json = jsonOf(fields.filter(([name]) => isIn(name, valuesField)))
  const values = isRecord(json) ? json[valuesField] : undefined
  return isRecord(values) ? values : {}
}

/** The name of the field with the example value of a variable. `default`: its default says of which type it is. */
export function exampleField(name: string, isText: boolean): string {
  return `${valuesField}.${name}${isText ? '' : '#'}`
}

/** A variable of a form. `label`: what people call it in Chinese; `isText`: whether its values are texts. */
export type FormVariable = { path: string; name: string; label: string; isText: boolean }

/** The variables of a form, in the order of their entries. */
export function variablesIn(fields: Fields): FormVariable[] {
  const paths = new Set(fields.flatMap(([name]) => /^variables\.\d+/.exec(name) ?? []))
  return [...paths].map((path) => {
    const [name = ''] = valuesOf(fields, `${path}.name`)
    const [label = ''] = valuesOf(fields, `${path}.label.zh-TW`)
    return {
      ...{ path, name, label },
      isText: !fields.some(([one]) => pathOf(one) === `${path}.default` && one.endsWith('#')),
    }
  })
}
