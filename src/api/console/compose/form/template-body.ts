import { CreateTemplate } from '../../../../contract/templates/template.ts'
import { type Fields, isIn, isRecord, jsonOf, pathOf } from './fields.ts'
import { withCards } from './message-body.ts'
import { bodyIn, type ParseResult, readAs } from './parse-form.ts'
import type { Input } from './stand-ins.ts'

/** Where a form has the example values of variables, by name: they are no part of the template. */
export const valuesField = 'values'

/** A template has no times. */
const noTimes = 'UTC'

export function parseTemplateForm(fields: Fields): ParseResult<CreateTemplate> {
  return readAs(CreateTemplate, templateInput(fields), fields)
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

/** The variables of a form: the path of each, its name, and whether its values are texts. */
export function variablesIn(fields: Fields): { path: string; name: string; isText: boolean }[] {
  const paths = new Set(fields.flatMap(([name]) => /^variables\.\d+/.exec(name) ?? []))
  return [...paths].map((path) => {
    const [, name = ''] = fields.find(([one]) => one === `${path}.name`) ?? []
    return {
      path,
      name,
      isText: !fields.some(([one]) => pathOf(one) === `${path}.default` && one.endsWith('#')),
    }
  })
}
